//! What two threads can reach on this machine at all: how the bare clock reads of the measured loop
//! scale from one thread to two. Virtual processors that share a core scale less than twofold; the
//! harness's floor cannot scale better than this.

#![expect(clippy::print_stdout, reason = "the figure is what this program is for")]

use std::hint::black_box;
use std::time::Instant;

use stowmark_runner::clock::WallClock;

/// Operations of each thread: two reads each.
const OPS: u32 = 10_000_000;

fn operations(clock: &WallClock) {
    for _ in 0..OPS {
        let start = clock.now();
        black_box(clock.now().saturating_sub(start));
    }
}

/// Seconds until so many threads have done their operations.
fn seconds(threads: usize, clock: &WallClock) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| operations(clock));
        }
    });
    start.elapsed().as_secs_f64()
}

fn main() {
    let clock = WallClock::choose();
    let mut scalings: Vec<f64> =
        (0..9).map(|_| 2.0 * seconds(1, &clock) / seconds(2, &clock)).collect();
    scalings.sort_by(f64::total_cmp);
    println!(
        "two threads of {} reads: {:.2} times the throughput of one (median of 9, {:.2} to {:.2})",
        clock.name(),
        scalings[4],
        scalings[0],
        scalings[8]
    );
}
