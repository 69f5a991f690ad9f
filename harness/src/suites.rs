//! `stowmark suites`.

use std::fmt::Write as _;

use stowmark_workload::suite::builtin_text;
use stowmark_workload::{Suite, builtin, format_size};

use crate::cli::Suites;
use crate::exit::{self, Failure};

/// Lists the built-in suites, or prints one's file.
pub(crate) fn suites(arguments: &Suites) -> Result<(), Failure> {
    if let Some(name) = &arguments.show {
        let text = builtin_text(name).map_err(Failure::usage)?;
        return exit::print(text.as_bytes());
    }
    let mut text = String::new();
    for suite in builtin() {
        describe(suite, &mut text);
    }
    exit::print(text.as_bytes())
}

fn describe(suite: &Suite, text: &mut String) {
    let workload = &suite.workload;
    let ops: Vec<_> = workload.op.iter().map(ToString::to_string).collect();
    let sizes: Vec<_> = workload.size.iter().map(|size| format_size(*size)).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}: {}", suite.name, suite.title);
    if let Some(follows) = &suite.follows {
        let _ = writeln!(text, "  follows   {follows}");
    }
    let _ =
        writeln!(text, "  measures  {} of {} ({})", ops.join(", "), sizes.join(", "), suite.model);
    let _ = writeln!(
        text,
        "  repeats   {} executions of {} rounds",
        workload.executions, workload.rounds
    );
}
