//! `stowmark report`.

use std::fs;
use std::path::Path;

use stowmark_report::{Format, raw};
use stowmark_results::{analysis, file};
use stowmark_workload::UnknownWord;

use crate::cli::Report;
use crate::exit::{self, Failure};

/// Makes a report from a result file.
pub(crate) fn report(arguments: &Report) -> Result<(), Failure> {
    let format = format(&arguments.format)?;
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

fn write_raw(folder: &Path, result: &stowmark_results::RunResult) -> Result<(), Failure> {
    for raw in raw::raw_files(result) {
        let path = folder.join(&raw.name);
        fs::write(&path, &raw.text).map_err(|error| {
            Failure::cannot_start(format!(
                "cannot write {}: {error}; --raw takes a folder that exists",
                path.display()
            ))
        })?;
    }
    Ok(())
}
