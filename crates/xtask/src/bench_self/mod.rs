//! `cargo xtask bench-self`: what the harness itself costs, in figures that its promises are held to.
//!
//! Every figure is taken once per try, each time by fresh processes, and all figures of one try come
//! before the next try's first: whatever the machine does meanwhile meets all of them alike. What is
//! reported is the median over tries with its quartiles. Where two programs are compared they swap
//! places from try to try, so that neither always follows the other. Figures of a busy machine say
//! little, so other work is watched for, and told.
//!
//! - **floor**: the engine `null` put through the real plugin border in a worker, every operation
//!   timed alone, 16 bytes each; nanoseconds an operation on one thread, and how many times the
//!   operations two threads finish in the same time.
//! - **payload**: how fast one core makes them.
//! - **redb**: the time of a put through the harness by that of the same loop calling redb directly,
//!   at the tier `acknowledged`: with no flush to wait for, there is nothing to hide behind. Both on
//!   one processor, and by turns many times in a try, of which the middle counts.
//! - **blob-stream**: the worker's peak memory while a 4 GiB blob goes into `filesystem` and back.
//!
//! Whether verdicts can be believed is another question, which [`aa`] asks.

mod aa;
mod figures;
mod load;
mod programs;
mod read;
mod statistics;

use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::workspace::Workspace;

use figures::{Figure, Goal, Key};
use load::Load;
use programs::Programs;
use statistics::median;

/// From this many tries on, a median means something.
const ENOUGH_TRIES: u32 = 9;

/// The sizes at which redb is compared, and puts in a round: rounds of about 25 ms, long beside what
/// starting one costs and short beside what disturbs it.
const REDB_CASES: [(&str, u64); 2] = [("1k", 2000), ("10k", 1000)];
/// How often they are compared in a try: two processes of the same program differ by more than what
/// is looked for.
const REDB_PAIRS: u32 = 10;
/// How often one thread and two are compared in a try. A virtual machine's processors are slower by
/// half for seconds while others use their cores, which no figure of ours shows.
const FLOOR_PAIRS: u32 = 3;

/// What of it to measure, and how it is printed.
#[derive(Args)]
pub(crate) struct Options {
    /// Print one JSON object on standard output; the table goes to standard error
    #[arg(long)]
    json: bool,
    /// How many tries; fewer than 9 are for a look only
    #[arg(long, default_value_t = ENOUGH_TRIES, value_parser = clap::value_parser!(u32).range(1..=999))]
    tries: u32,
    /// Measure only this, repeatable; the others are null in the JSON object
    #[arg(long, value_name = "FIGURE")]
    only: Vec<Part>,
    /// Check verdicts instead: run redb against itself and count how often they differ
    #[arg(long, conflicts_with_all = ["tries", "only"])]
    aa: bool,
}

/// Figures that are measured together.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Floor,
    Payload,
    Redb,
    BlobStream,
}

/// Builds what is measured, measures, and prints.
pub(crate) fn bench_self(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let programs = Programs::build(workspace)?;
    if options.aa { aa::check(&programs, options.json) } else { measure(&programs, options) }
}

fn measure(programs: &Programs, options: &Options) -> Result<(), Failure> {
    let tries = options.tries;
    if tries < ENOUGH_TRIES {
        eprintln!("xtask: {tries} tries are for a look only; figures to keep take {ENOUGH_TRIES}");
    }
    let chosen = |part: &Part| options.only.is_empty() || options.only.contains(part);
    let mut parts: Vec<_> = Part::value_variants().iter().map(|p| (*p, p.figures())).collect();
    let mut session = Session { programs, load: Load::default(), clock: None };
    for index in 0..tries {
        eprintln!("xtask: try {} of {tries}", index + 1);
        session.load.watch();
        for (part, figures) in parts.iter_mut().filter(|(part, _)| chosen(part)) {
            for (figure, value) in figures.iter_mut().zip(session.measure(*part, index)?) {
                figure.values.push(value);
            }
        }
    }
    let figures: Vec<Figure> = parts.into_iter().flat_map(|(_, figures)| figures).collect();
    let clock = session.clock.as_deref();
    let text = figures::table(&figures, clock) + &session.load.lines();
    print(&text, options.json.then(|| figures::object(&figures, clock)));
    Ok(())
}

/// The text is the result, unless an object is.
fn print(text: &str, object: Option<serde_json::Value>) {
    match object {
        Some(object) => {
            eprint!("{text}");
            println!("{object}");
        }
        None => print!("{text}"),
    }
}

impl Part {
    /// The figures without values, in the order in which [`Session::measure`] gives them.
    fn figures(self) -> Vec<Figure> {
        let figure = Figure::new;
        let payload = |kind| Key::Inner("payload_gb_per_s", kind);
        let redb = |size| Key::Inner("redb_overhead_ratio", size);
        let blob_stream = Key::Inner("blob_stream_rss_bytes", "filesystem");
        let (at_most, at_least) = (Goal::AtMost, Goal::AtLeast);
        let mib = 1024.0 * 1024.0;
        match self {
            Part::Floor => vec![
                figure("floor, 1 thread", "ns/op", at_most(45.0), Key::Top("floor_ns_per_op")),
                figure("floor, 2 threads", "x", at_least(1.8), Key::Top("floor_scaling_2_threads")),
            ],
            Part::Payload => vec![
                figure("payload random", "GB/s", at_least(2.0), payload("random")),
                figure("payload ratio", "GB/s", at_least(2.0), payload("ratio")),
                figure("payload text", "GB/s", at_least(1.0), payload("text")),
            ],
            Part::Redb => vec![
                figure("redb put 1k", "x", at_most(1.03), redb("1k")),
                figure("redb put 10k", "x", at_most(1.03), redb("10k")),
            ],
            Part::BlobStream => {
                vec![figure("4 GiB blob, filesystem", "bytes", at_most(96.0 * mib), blob_stream)]
            }
        }
    }
}

/// The tries under way.
struct Session<'a> {
    programs: &'a Programs,
    load: Load,
    /// The clock that timed the runs.
    clock: Option<String>,
}

impl Session<'_> {
    /// A value for each of the part's figures.
    fn measure(&mut self, part: Part, index: u32) -> Result<Vec<f64>, Failure> {
        let programs = self.programs;
        match part {
            Part::Floor => self.floor(index),
            Part::Payload => {
                let speed = programs.payload_speed()?;
                Ok(vec![speed.random, speed.ratio, speed.text])
            }
            Part::Redb => REDB_CASES.iter().map(|case| self.overhead(index, *case)).collect(),
            Part::BlobStream => Ok(vec![programs.blob_stream()?.peak_rss_bytes()?]),
        }
    }

    /// Time of an operation on one thread, and throughput on two by that on one.
    fn floor(&mut self, index: u32) -> Result<Vec<f64>, Failure> {
        let programs = self.programs;
        let mut times = Vec::new();
        let mut scalings = Vec::new();
        for pair in 0..FLOOR_PAIRS {
            let clients = |count| move || programs.floor(count);
            let (one, two) = swapping(index + pair, clients(1), clients(2))?;
            self.load.note(&one);
            self.clock = one.clock();
            times.push(one.ns_per_op()?);
            scalings.push(one.ns_per_op()? / two.ns_per_op()?);
        }
        Ok(vec![middle(&times), middle(&scalings)])
    }

    /// Time through the harness by time of the direct loop.
    fn overhead(&mut self, index: u32, (size, ops): (&str, u64)) -> Result<f64, Failure> {
        let programs = self.programs;
        let mut ratios = Vec::new();
        for pair in 0..REDB_PAIRS {
            let harness = || programs.redb_harness(size, ops);
            let direct = || programs.redb_direct(size, ops);
            let (harness, direct) = swapping(index + pair, harness, direct)?;
            self.clock = harness.clock();
            ratios.push(harness.ns_per_op()? / direct);
        }
        Ok(middle(&ratios))
    }
}

/// The median of a try's pairs, of which there is at least one.
fn middle(values: &[f64]) -> f64 {
    median(values).unwrap_or(f64::NAN)
}

/// Does both; which of them comes first changes from try to try.
fn swapping<A, B>(
    index: u32,
    a: impl FnOnce() -> Result<A, Failure>,
    b: impl FnOnce() -> Result<B, Failure>,
) -> Result<(A, B), Failure> {
    if index.is_multiple_of(2) {
        let a = a()?;
        Ok((a, b()?))
    } else {
        let b = b()?;
        Ok((a()?, b))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn what_is_compared_swaps_places_from_try_to_try() {
        let order = RefCell::new(String::new());
        for index in 0..3 {
            let note = |name| {
                order.borrow_mut().push(name);
                Ok(())
            };
            swapping(index, || note('a'), || note('b')).unwrap();
        }
        assert_eq!(order.into_inner(), "abbaab");
    }

    #[test]
    fn the_object_always_has_all_its_keys() {
        let figures: Vec<_> = Part::value_variants().iter().flat_map(|p| p.figures()).collect();
        let expected = serde_json::json!({
            "floor_ns_per_op": null,
            "floor_scaling_2_threads": null,
            "payload_gb_per_s": {"random": null, "ratio": null, "text": null},
            "redb_overhead_ratio": {"1k": null, "10k": null},
            "blob_stream_rss_bytes": {"filesystem": null},
            "clock": null,
        });
        assert_eq!(figures::object(&figures, None), expected);
    }
}
