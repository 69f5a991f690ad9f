//! `stowmark report`.

use std::fs;
use std::path::Path;

use stowmark_report::{Format, raw};
use stowmark_results::{analysis, file};
use stowmark_workload::UnknownWord;

use crate::cli::Report;
use crate::exit::{self, Failure};
use crate::out;

/// Makes a report from a result file.
pub(crate) fn report(arguments: &Report) -> Result<(), Failure> {
    let format = format(&arguments.format)?;
    if let Some(out) = &arguments.out {
        out::check(out)?;
        keep_the_result(out, &arguments.result)?;
    }
    let mut result = file::read(&arguments.result).map_err(Failure::cannot_start)?;
    // The verdicts follow from the rounds: a file may be older than the analysis.
    analysis::analyse(&mut result);
    if let Some(folder) = &arguments.raw {
        write_raw(folder, &result)?;
    }
    let bytes = stowmark_report::render(&result, format, stowmark_report::Options::default())
        .map_err(Failure::cannot_start)?;
    match &arguments.out {
        None => exit::print(&bytes),
        Some(out) => fs::write(out, bytes).map_err(|error| {
            Failure::cannot_start(format!("cannot write {}: {error}", out.display()))
        }),
    }
}

fn format(word: &str) -> Result<Format, Failure> {
    Format::ALL.into_iter().find(|format| format.name() == word).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.into_iter().map(Format::name).collect();
        Failure::usage(UnknownWord::new("format", word, &names))
    })
}

/// A report in place of its own result would lose what was measured.
fn keep_the_result(out: &Path, result: &Path) -> Result<(), Failure> {
    match (out.canonicalize(), result.canonicalize()) {
        (Ok(out), Ok(result)) if out == result => Err(Failure::usage(format!(
            "--out {} is the result file itself; name another file",
            out.display()
        ))),
        _ => Ok(()),
    }
}

fn write_raw(folder: &Path, result: &stowmark_results::RunResult) -> Result<(), Failure> {
    if !folder.is_dir() {
        return Err(Failure::cannot_start(format!(
            "--raw {}: {}; the files go into a folder that exists",
            folder.display(),
            if folder.exists() { "is no folder" } else { "does not exist" }
        )));
    }
    for raw in raw::raw_files(result) {
        let path = folder.join(&raw.name);
        fs::write(&path, &raw.text).map_err(|error| {
            Failure::cannot_start(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    Ok(())
}
