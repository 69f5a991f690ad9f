//! `cargo xtask tidy`: the project's own rules, checked by a program rather than by memory.
//!
//! Each check is a small function from plain data to a list of problems, so that each has tests; this
//! file gathers the data, calls them all and prints what they found. A note is printed and does not
//! fail the chore.

mod arrows;
mod files;
mod locked;
mod manifests;
mod plugins;
mod table;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::process::output;
use crate::workspace::Workspace;

/// Something that breaks a rule, or that is worth a look.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    weight: Weight,
    /// A file, with a line where there is one, or a package.
    place: String,
    text: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Weight {
    Error,
    Note,
}

impl Problem {
    fn error(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { weight: Weight::Error, place: place.into(), text: text.into() }
    }

    fn note(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { weight: Weight::Note, place: place.into(), text: text.into() }
    }
}

/// A text file of the project.
pub(crate) struct File {
    /// From the workspace root, with forward slashes.
    path: String,
    text: String,
}

/// Runs every check; with `fix`, the engine tables are rewritten instead of compared.
pub(crate) fn tidy(workspace: &Workspace, fix: bool) -> Result<(), Failure> {
    let files = project_files(&workspace.root)?;
    let resolved = workspace.resolved()?;
    let mut problems = Vec::new();

    problems.extend(arrows::check(&arrows::members(workspace)));
    problems.extend(files::essays(&files));
    problems.extend(files::lengths(&files));
    problems.extend(files::machine_paths(&files));
    problems.extend(files::lifted_lint(&files));
    problems.extend(files::central_lints(&files));
    problems.extend(plugins::folders(workspace, &files));
    problems.extend(locked::sources(&files));
    problems.extend(locked::rust_versions(&resolved));

    // What only the built plugins can say. Where they cannot be asked, the rest is still worth hearing.
    match manifests::listed(workspace) {
        Ok(listed) => {
            problems.extend(manifests::agree(workspace, &listed));
            problems.extend(table::check(workspace, &listed, &files, fix)?);
        }
        Err(failure) => problems.push(Problem::error("manifests", failure.to_string())),
    }

    report(&problems)
}

fn report(problems: &[Problem]) -> Result<(), Failure> {
    for Problem { weight, place, text } in problems {
        let weight = if *weight == Weight::Error { "error" } else { "note" };
        eprintln!("{weight}: {place}: {text}");
    }
    match problems.iter().filter(|problem| problem.weight == Weight::Error).count() {
        0 => {
            eprintln!("xtask: tidy");
            Ok(())
        }
        errors => Err(Failure::Untidy(errors)),
    }
}

/// What git tracks, and what it would track: a new file is checked before it is committed.
fn project_files(root: &Path) -> Result<Vec<File>, Failure> {
    let mut git = Command::new("git");
    git.arg("-C").arg(root);
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
    let mut files = Vec::new();
    for path in output(&mut git)?.split_terminator('\0') {
        // A file that was deleted and is still tracked, a link to a folder, and whatever is not text
        // have nothing to check.
        if let Ok(text) = fs::read_to_string(root.join(path)) {
            files.push(File { path: path.to_owned(), text });
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_does_not_fail_and_an_error_does() {
        assert!(report(&[Problem::note("a.rs", "long")]).is_ok());
        let both = [Problem::note("a.rs", "long"), Problem::error("b.rs", "longer")];
        assert!(matches!(report(&both), Err(Failure::Untidy(1))));
    }
}
