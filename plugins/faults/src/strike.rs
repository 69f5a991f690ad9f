//! The faults that take the process down, block it, or make noise. None needs unsafe code: what a
//! supervisor sees of a segmentation fault is the signal.

use std::hint::black_box;
use std::io::Write;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

/// Never returns, and uses no processor meanwhile.
pub(crate) fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Ends the process by the signal of a segmentation fault.
pub(crate) fn segfault() -> ! {
    loop {
        // More than once: the first may meet the handler with which Rust tells stack overflows,
        // which steps aside and expects the fault to come again.
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}

/// Uses up the stack.
#[expect(unconditional_recursion, reason = "that is the fault")]
pub(crate) fn overflow(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    // The frame is used after the call, so that no tail call takes the place of a deeper one.
    overflow(depth + 1) + black_box(frame)[0]
}

/// Panics on a thread of the plugin's own.
pub(crate) fn panic_on_a_thread() {
    let thread = std::thread::spawn(|| panic!("a panic on the plugin's own thread, as asked"));
    // The panic is what was wanted.
    let _ = thread.join();
}

/// Writes far more than a pipe holds to both standard streams, some of it in the harness's own
/// manner and some of it no text at all.
pub(crate) fn flood() {
    let line = b"{\"type\":\"done\",\"ok\":true} noise \xff\xfe noise\n";
    let noise = line.repeat((1 << 20) / line.len());
    // A closed stream is no reason to stop.
    let _ = std::io::stdout().write_all(&noise);
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().write_all(&noise);
}
