//! `cargo xtask bench-self`: what the harness itself costs, in figures that its promises are held to.
//!
//! Every figure is taken once per try, each time by fresh processes, and all figures of one try come
//! before the next try's first: whatever the machine does meanwhile meets all of them alike. What is
//! reported is the median over tries with its quartiles. Where two programs are compared they swap
//! places from try to try, so that neither always follows the other.
//!
//! - **floor**: the engine `null` put through the real plugin border in a worker, every operation
//!   timed alone, 16 bytes each; nanoseconds an operation on one thread, and how many times the
//!   operations two threads finish in the same time.
//! - **payloads**: how fast one core makes them.
//! - **redb overhead**: the time of a put through the harness by that of the same loop calling redb
//!   directly, at the tier `acknowledged`: with no flush to wait for, there is nothing to hide behind.
//! - **blob stream**: the worker's peak memory while a 4 GiB blob goes into `filesystem` and back.

mod figures;
mod programs;
mod read;

use crate::failure::Failure;
use crate::workspace::Workspace;

use figures::{Figure, Goal, Key};
use programs::Programs;

/// From this many tries on, a median means something.
const ENOUGH_TRIES: u32 = 9;

/// Puts in a round of the floor: long enough that a round is no burst, small enough to stay in memory.
const FLOOR_OPS: u64 = 1_000_000;

/// The sizes at which redb is compared, and puts in a round: rounds of about the same number of bytes.
const REDB_CASES: [(&str, u64); 2] = [("1k", 4000), ("10k", 400)];

/// Builds what is measured, measures, and prints.
pub(crate) fn bench_self(workspace: &Workspace, tries: u32, json: bool) -> Result<(), Failure> {
    let programs = Programs::build(workspace)?;
    if tries < ENOUGH_TRIES {
        eprintln!("xtask: {tries} tries are for a look only; figures to keep take {ENOUGH_TRIES}");
    }
    let mut figures = figures();
    let mut clock = None;
    for index in 0..tries {
        eprintln!("xtask: try {} of {tries}", index + 1);
        let (values, seen) = one_try(&programs, index)?;
        for (figure, value) in figures.iter_mut().zip(values) {
            figure.values.push(value);
        }
        clock = clock.or(seen);
    }
    let table = figures::table(&figures, clock.as_deref());
    if json {
        eprint!("{table}");
        println!("{}", figures::object(&figures, clock.as_deref()));
    } else {
        print!("{table}");
    }
    Ok(())
}

/// The figures, in the order in which [`one_try`] gives their values.
fn figures() -> Vec<Figure> {
    let figure = Figure::new;
    let payload = |kind| Key::Inner("payload_gb_per_s", kind);
    vec![
        figure("floor, 1 thread", "ns/op", Goal::AtMost(45.0), Key::Top("floor_ns_per_op")),
        figure("floor, 2 threads", "x", Goal::AtLeast(1.8), Key::Top("floor_scaling_2_threads")),
        figure("payload random", "GB/s", Goal::AtLeast(2.0), payload("random")),
        figure("payload ratio", "GB/s", Goal::AtLeast(2.0), payload("ratio")),
        figure("payload text", "GB/s", Goal::AtLeast(1.0), payload("text")),
        figure("redb put 1k", "x", Goal::AtMost(1.03), Key::Inner("redb_overhead_ratio", "1k")),
        figure("redb put 10k", "x", Goal::AtMost(1.03), Key::Inner("redb_overhead_ratio", "10k")),
        figure(
            "4 GiB blob, filesystem",
            "bytes",
            Goal::AtMost(96.0 * 1024.0 * 1024.0),
            Key::Inner("blob_stream_rss_bytes", "filesystem"),
        ),
    ]
}

/// One value for each figure, and the clock that timed the floor.
fn one_try(programs: &Programs, index: u32) -> Result<(Vec<f64>, Option<String>), Failure> {
    let one = programs.floor(1, FLOOR_OPS)?;
    let two = programs.floor(2, FLOOR_OPS)?;
    let mut values = vec![one.ns_per_op()?, one.ns_per_op()? / two.ns_per_op()?];
    let payload = programs.payload_speed()?;
    values.extend([payload.random, payload.ratio, payload.text]);
    for (size, ops) in REDB_CASES {
        values.push(overhead(programs, index, size, ops)?);
    }
    values.push(programs.blob_stream()?.peak_rss_bytes()?);
    Ok((values, one.clock()))
}

/// Time through the harness by time of the direct loop; the two swap places from try to try.
fn overhead(programs: &Programs, index: u32, size: &str, ops: u64) -> Result<f64, Failure> {
    let (harness, direct);
    if index.is_multiple_of(2) {
        harness = programs.redb_harness(size, ops)?.ns_per_op()?;
        direct = programs.redb_direct(size, ops)?;
    } else {
        direct = programs.redb_direct(size, ops)?;
        harness = programs.redb_harness(size, ops)?.ns_per_op()?;
    }
    Ok(harness / direct)
}
