//! `stowmark suites`.

use std::fmt::Write as _;

use stowmark_workload::suite::builtin_text;
use stowmark_workload::{Suite, builtin, format_size};

use crate::cli::Suites;
use crate::exit::{self, Failure};
use crate::wrap::fit;

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
    let mut line = |indent: usize, line: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", fit(&line, indent));
    };
    line(2, format!("{}: {}", suite.name, suite.title));
    if let Some(follows) = &suite.follows {
        line(12, format!("  follows   {follows}"));
    }
    let (ops, sizes) = (ops.join(", "), sizes.join(", "));
    line(12, format!("  measures  {ops} of {sizes} ({})", suite.model));
    let (executions, rounds) = (workload.executions, workload.rounds);
    line(12, format!("  repeats   {executions} executions of {rounds} rounds"));
}
