//! How fast payloads are made, for `cargo xtask bench-self`.
//!
//! Prints one JSON object with GB/s (GB = 10^9 bytes) for each kind of payload that is made rather
//! than copied: `{"random": .., "ratio": .., "text": ..}`. One thread fills an arena of 64 MiB with
//! payloads of 1 MiB, each with a number of its own, as a round's payloads are made before its clock
//! starts. The arena is larger than the caches, so the cost of writing to memory is in the figure;
//! it has been written before, so that of first touching its pages is not. Each kind is tried nine
//! times, the kinds in turn, and the medians are printed. `ratio` is `ratio:0.5`.
//!
//! `--size SIZE` takes payloads of another size.

use std::error::Error;
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use stowmark_workload::{PayloadKind, Payloads, parse_size};

const ARENA: usize = 64 << 20;
const TRIES: usize = 9;
const TRY_TIME: Duration = Duration::from_millis(40);

fn main() -> Result<(), Box<dyn Error>> {
    let size = payload_size()?;
    let kinds = [
        ("random", PayloadKind::Random),
        ("ratio", PayloadKind::Ratio(0.5)),
        ("text", PayloadKind::Text),
    ];
    let mut arena = vec![1; ARENA];
    let mut tries = vec![Vec::new(); kinds.len()];
    let mut made = 0;
    for _ in 0..TRIES {
        for ((_, kind), speeds) in kinds.iter().zip(&mut tries) {
            let payloads = Payloads::new(kind, 42)?;
            speeds.push(gb_per_s(&payloads, &mut arena, size, &mut made));
        }
    }
    let figures: Vec<String> = kinds
        .iter()
        .zip(&mut tries)
        .map(|((name, _), speeds)| {
            speeds.sort_by(f64::total_cmp);
            format!("\"{name}\": {:.3}", speeds[TRIES / 2])
        })
        .collect();
    writeln!(std::io::stdout(), "{{{}}}", figures.join(", "))?;
    Ok(())
}

/// The size of a payload: 1 MiB, or what `--size` says.
fn payload_size() -> Result<usize, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let size = match arguments.as_slice() {
        [] => 1 << 20,
        [flag, size] if flag == "--size" => usize::try_from(parse_size(size)?)?,
        _ => return Err("usage: payload_speed [--size SIZE]".into()),
    };
    if (1..=ARENA).contains(&size) {
        Ok(size)
    } else {
        Err("the size must be from 1 to 64M".into())
    }
}

/// Fills the arena with payloads over and over for a while; returns the speed in GB/s.
fn gb_per_s(payloads: &Payloads, arena: &mut [u8], size: usize, made: &mut u64) -> f64 {
    let start = Instant::now();
    let mut bytes = 0;
    loop {
        for payload in arena.chunks_exact_mut(size) {
            payloads.fill(*made, payload);
            *made += 1;
            bytes += payload.len();
        }
        black_box(&mut *arena);
        let elapsed = start.elapsed();
        if elapsed >= TRY_TIME {
            return bytes as f64 / elapsed.as_secs_f64() / 1e9;
        }
    }
}
