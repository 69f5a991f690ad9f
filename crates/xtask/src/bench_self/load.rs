//! Whether the machine did other work meanwhile, for then figures say little.
//!
//! Two witnesses. Before each try nothing of ours runs, so whatever the processors do in that moment is
//! somebody else's. And during the rounds of a single client nobody of ours waits for a processor, so
//! whatever the kernel counts as such waiting tells of others, or of too few processors. The load
//! average is no witness: it remembers our own work for minutes.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::read::Run;
use super::statistics::median;

/// How long the machine is watched before a try.
const WATCH: Duration = Duration::from_millis(400);

/// From so many processors at work for others on, in the median over tries, the machine is busy.
const BUSY_PROCESSORS: f64 = 0.1;
/// And from this share of the rounds' time on in which some task waited for a processor.
const BUSY_WAITING: f64 = 0.1;

/// What was seen of other work.
#[derive(Default)]
pub(super) struct Load {
    /// Processors at work before each try.
    processors: Vec<f64>,
    /// By run: the share of the rounds' time in which some task waited.
    waiting: Vec<f64>,
}

impl Load {
    /// Looks for a moment at what others do. Nothing of ours may run.
    pub(super) fn watch(&mut self) {
        let Some(before) = processor_times() else { return };
        sleep(WATCH);
        self.processors.extend(processor_times().and_then(|after| at_work(&before, &after)));
    }

    /// Takes a run of a single client into account.
    pub(super) fn note(&mut self, run: &Run) {
        self.waiting.extend(run.waiting());
    }

    /// The median and the largest number of processors at work before a try.
    pub(super) fn processors(&self) -> Option<(f64, f64)> {
        Some((median(&self.processors)?, self.processors.iter().copied().reduce(f64::max)?))
    }

    /// The median share of the rounds' time in which some task waited.
    pub(super) fn waiting(&self) -> Option<f64> {
        median(&self.waiting)
    }

    /// Whether the figures were taken on a busy machine, as far as there is a witness.
    pub(super) fn is_busy(&self) -> bool {
        let working = self.processors().is_some_and(|(median, _)| median >= BUSY_PROCESSORS);
        working || self.waiting().is_some_and(|share| share >= BUSY_WAITING)
    }

    /// For people: what to think of the figures, and a line of what was seen.
    pub(super) fn lines(&self) -> String {
        let mut seen = Vec::new();
        if let Some((median, most)) = self.processors() {
            seen.push(format!("others kept {median:.2} processors at work (at most {most:.2})"));
        }
        if let Some(share) = self.waiting() {
            seen.push(format!("tasks waited in {:.1} % of the rounds' time", 100.0 * share));
        }
        let verdict = match (seen.is_empty(), self.is_busy()) {
            (true, _) => return "whether the machine was busy cannot be seen here\n".to_owned(),
            (_, true) => "taken on a BUSY machine, take them again on an idle one",
            (_, false) => "taken on an idle machine",
        };
        format!("{verdict}:\n  {}\n", seen.join(", "))
    }
}

/// Ticks that each processor spent at work and in all since boot.
fn processor_times() -> Option<Vec<(u64, u64)>> {
    Some(times_of(&fs::read_to_string("/proc/stat").ok()?))
}

/// The lines `cpu<number>`: user, nice, system, idle, waiting for a device, and further kinds of work.
fn times_of(stat: &str) -> Vec<(u64, u64)> {
    let mut times = Vec::new();
    for line in stat.lines() {
        let mut words = line.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        let number = name.strip_prefix("cpu").unwrap_or_default();
        if number.is_empty() {
            continue;
        }
        // What comes after the eighth is counted under the first two already.
        let ticks: Vec<u64> = words.take(8).filter_map(|word| word.parse().ok()).collect();
        let idle: u64 = ticks.iter().skip(3).take(2).sum();
        let all: u64 = ticks.iter().sum();
        times.push((all - idle, all));
    }
    times
}

/// How many processors were at work between the two.
fn at_work(before: &[(u64, u64)], after: &[(u64, u64)]) -> Option<f64> {
    let mut total = 0.0;
    for (before, after) in before.iter().zip(after) {
        let [work, all] = [after.0.checked_sub(before.0)?, after.1.checked_sub(before.1)?];
        #[expect(clippy::cast_precision_loss, reason = "ticks of less than a second")]
        if all > 0 {
            total += work as f64 / all as f64;
        }
    }
    (!before.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 100 0 50 800 50 0 0 0 7 0\n\
                          cpu1 100 0 0 900 0 0 0 0 0 0\nintr 5\n";
    const AFTER: &str = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 110 0 60 810 60 0 0 0 9 0\n\
                         cpu1 100 0 0 920 0 0 0 20 0 0\nintr 6\n";

    #[test]
    fn idle_and_waiting_for_a_device_is_no_work_and_what_the_hypervisor_took_is() {
        let [before, after] = [BEFORE, AFTER].map(times_of);
        assert_eq!(before, [(150, 1000), (100, 1000)]);
        assert_eq!(at_work(&before, &after), Some(0.5 + 0.5));
        assert_eq!(at_work(&[], &[]), None);
        assert_eq!(at_work(&after, &before), None, "a counter that runs backwards");
    }

    #[test]
    fn a_single_busy_moment_does_not_condemn_all_figures_and_half_of_them_do() {
        let load = |processors: &[f64]| Load { processors: processors.into(), waiting: vec![0.0] };
        assert!(!load(&[0.0, 0.01, 1.5]).is_busy());
        assert!(load(&[0.0, 0.8, 1.5]).is_busy());
        let lines = load(&[0.0, 0.01, 1.5]).lines();
        assert!(lines.contains("idle") && lines.contains("at most 1.50"), "{lines}");
    }

    #[test]
    fn waiting_alone_shows_a_busy_machine() {
        let load = Load { processors: vec![0.0], waiting: vec![0.2, 0.5, 0.0] };
        let lines = load.lines();
        assert!(lines.contains("BUSY") && lines.contains("20.0 %"), "{lines}");
        assert!(lines.lines().all(|line| line.len() <= 100), "{lines}");
    }

    #[test]
    fn without_witnesses_nothing_is_claimed() {
        assert!(!Load::default().is_busy());
        assert!(Load::default().lines().contains("cannot be seen"));
    }
}
