//! Rules about files as text: how a module opens, how long it is, and what must not stand in it.

use super::{File, Problem};

/// From here on a file is worth a look.
const LONG: usize = 400;
/// From here on it must be divided.
const TOO_LONG: usize = 600;

/// Folders of accounts and machines; a path into one of them works on one machine only. Written in
/// two parts so that this file does not name one itself.
const MACHINE_FOLDERS: [&str; 4] =
    [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];

/// The lint that is denied everywhere and lifted, with a reason, in few places.
const LINT: &str = concat!("unsafe", "_code");

/// Where it may be lifted: the contract, the loader, the kit's side of the border, and calls to the
/// operating system.
const MAY_BE_UNSAFE: [&str; 5] = [
    "crates/stowmark-abi/",
    "crates/stowmark-host/",
    "crates/stowmark-plugin/src/adapt",
    "crates/stowmark-plugin/src/export",
    "crates/stowmark-runner/src/platform",
];

fn rust(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.ends_with(".rs"))
}

/// Every module file opens with its essay.
pub(super) fn essays(files: &[File]) -> Vec<Problem> {
    let without = rust(files).filter(|file| !file.text.starts_with("//!"));
    without
        .map(|file| Problem::error(&file.path, "does not open with `//!`: say what and why"))
        .collect()
}

/// Files stay short enough to be read. Tests count; what a program wrote does not.
pub(super) fn lengths(files: &[File]) -> Vec<Problem> {
    let by_hand =
        |file: &&File| !file.path.contains("/snapshots/") && !file.path.contains("generated");
    let mut problems = Vec::new();
    for file in rust(files).filter(by_hand) {
        match file.text.lines().count() {
            lines if lines > TOO_LONG => {
                let text = format!("{lines} lines: over {TOO_LONG}, divide it");
                problems.push(Problem::error(&file.path, text));
            }
            lines if lines > LONG => {
                let text = format!("{lines} lines: over {LONG}, is it two things?");
                problems.push(Problem::note(&file.path, text));
            }
            _ => {}
        }
    }
    problems
}

/// No file holds an absolute path of somebody's machine.
pub(super) fn machine_paths(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| starts_a_path(line, folder))
            {
                let place = format!("{}:{}", file.path, index + 1);
                problems.push(Problem::error(place, format!("holds a machine's path, {folder}")));
            }
        }
    }
    problems
}

/// Whether the folder stands in the line as the start of a path, not in the middle of another.
fn starts_a_path(line: &str, folder: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "._-~}*".contains(c);
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(inside))
}

/// The lint against unsafe code is lifted in the few allowed places only. The compiler sees to the
/// rest: without a lifted lint there is no unsafe code.
pub(super) fn lifted_lint(files: &[File]) -> Vec<Problem> {
    let may = |file: &&File| MAY_BE_UNSAFE.iter().any(|start| file.path.starts_with(start));
    let mut problems = Vec::new();
    for file in rust(files).filter(|file| !may(file)) {
        for (index, line) in file.text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if code.contains(LINT) {
                let place = format!("{}:{}", file.path, index + 1);
                problems.push(Problem::error(place, "unsafe code has no place in this crate"));
            }
        }
    }
    problems
}

/// Every package takes the workspace's lints, without which the rule above would be a wish.
pub(super) fn central_lints(files: &[File]) -> Vec<Problem> {
    let is_package = |file: &&File| {
        file.path.ends_with("Cargo.toml") && file.text.lines().any(|line| line == "[package]")
    };
    let takes_them = |file: &&File| file.text.replace(' ', "").contains("[lints]\nworkspace=true");
    let without = files.iter().filter(is_package).filter(|file| !takes_them(file));
    without.map(|file| Problem::error(&file.path, "lacks `[lints] workspace = true`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.into(), text: text.into() }
    }

    fn places(problems: &[Problem]) -> Vec<&str> {
        problems.iter().map(|problem| problem.place.as_str()).collect()
    }

    #[test]
    fn a_module_without_an_essay_is_found_and_other_files_need_none() {
        let files = [
            file("a.rs", "//! Why.\n"),
            file("b.rs", "// Why.\n"),
            file("c.rs", "use x;\n//! Late.\n"),
            file("d.toml", "x = 1\n"),
        ];
        assert_eq!(places(&essays(&files)), ["b.rs", "c.rs"]);
    }

    #[test]
    fn a_long_file_is_noted_and_a_longer_one_is_an_error() {
        let [fits, long, longer] = [LONG, TOO_LONG, TOO_LONG + 1].map(|n| "\n".repeat(n));
        let files = [file("a.rs", &fits), file("b.rs", &long), file("c.rs", &longer)];
        let problems = lengths(&files);
        assert_eq!(places(&problems), ["b.rs", "c.rs"]);
        let weights: Vec<_> = problems.iter().map(|problem| &problem.weight).collect();
        assert_eq!(weights, [&super::super::Weight::Note, &super::super::Weight::Error]);
    }

    #[test]
    fn what_a_program_wrote_may_be_long() {
        let long = "\n".repeat(TOO_LONG + 1);
        assert_eq!(lengths(&[file("x/snapshots/a.rs", &long), file("a.csv", &long)]), []);
    }

    #[test]
    fn a_path_of_a_machine_is_found_with_its_line() {
        let folder = MACHINE_FOLDERS[0];
        let files = [file("a.md", &format!("fine\nsee {folder}x\n"))];
        assert_eq!(places(&machine_paths(&files)), ["a.md:2"]);
    }

    #[test]
    fn the_same_words_inside_another_path_are_no_machine_s() {
        for folder in MACHINE_FOLDERS {
            for before in ["sub", "./a.b", "$HOME", "${HOME}", "~", "*"] {
                let files = [file("a.md", &format!("{before}{folder}x"))];
                assert_eq!(machine_paths(&files), [], "{before}{folder}");
            }
            for before in ["", " ", "\"", "=", "(", "`", ":"] {
                let files = [file("a.md", &format!("{before}{folder}x"))];
                assert_eq!(machine_paths(&files).len(), 1, "{before}{folder}");
            }
        }
    }

    #[test]
    fn the_lint_is_lifted_only_where_it_may_be() {
        let lifted = format!("#[expect({LINT}, reason = \"why\")]\n");
        let files = [
            file("crates/stowmark-host/src/a.rs", &lifted),
            file("crates/stowmark-runner/src/platform/linux.rs", &lifted),
            file("crates/stowmark-runner/src/worker.rs", &lifted),
            file("plugins/redb/src/lib.rs", &lifted),
            file("plugins/null/src/lib.rs", &format!("// {LINT}\n")),
        ];
        let expected = ["crates/stowmark-runner/src/worker.rs:1", "plugins/redb/src/lib.rs:1"];
        assert_eq!(places(&lifted_lint(&files)), expected);
    }

    #[test]
    fn a_package_without_the_central_lints_is_found_and_the_workspace_itself_is_none() {
        let files = [
            file("Cargo.toml", "[workspace]\n"),
            file("a/Cargo.toml", "[package]\n[lints]\nworkspace = true\n"),
            file("b/Cargo.toml", "[package]\nname = \"b\"\n"),
        ];
        assert_eq!(places(&central_lints(&files)), ["b/Cargo.toml"]);
    }
}
