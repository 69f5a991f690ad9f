//! The documents: every command in them is one that works, and every flag that they name exists.
//!
//! Commands in `sh` and `console` blocks are run, made short; commands within sentences, which may
//! hold placeholders, have their subcommand and flags looked up in its help.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Place;

/// Commands that are not run here, by their beginning, and why.
const NOT_RUN: [(&str, &str); 3] = [
    ("bash .ci/run", "runs these tests"),
    ("cargo ", "the toolchain's own; `cargo xtask` is looked up before this list"),
    ("git ", "needs a repository to work on"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// The documents with their text.
fn documents() -> Vec<(PathBuf, String)> {
    let root = root();
    let mut paths = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let entries = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    let plugins = fs::read_dir(root.join("plugins")).unwrap();
    paths.extend(plugins.map(|entry| entry.unwrap().path().join("README.md")));
    let texts = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, text)
    });
    texts.collect()
}

/// The commands in a document's blocks: after `$ ` in `console`, each line in `sh`; comments and
/// what is printed are left out, lines that go on are joined.
fn block_commands(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut block = None;
    let mut goes_on = false;
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            block = block.is_none().then(|| language.to_owned());
            continue;
        }
        let start = match block.as_deref() {
            Some("console") => line.strip_prefix("$ "),
            Some("sh" | "bash") => Some(line).filter(|line| !line.trim().is_empty()),
            _ => continue,
        };
        let piece = if goes_on { Some(line) } else { start };
        let Some(piece) = piece.map(without_comment) else { continue };
        let (piece, more) = match piece.strip_suffix('\\') {
            Some(piece) => (piece, true),
            None => (piece, false),
        };
        match commands.last_mut().filter(|_| goes_on) {
            Some(command) => command.push_str(piece),
            None if piece.is_empty() => {}
            None => commands.push(piece.into()),
        }
        goes_on = more;
    }
    commands
}

fn without_comment(line: &str) -> &str {
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line).trim_end() }
}

/// The commands within a document's sentences: what stands between single back quotes.
fn inline_commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_block = false;
    let mut sentences = String::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        if !fence && !in_block {
            sentences += line;
            sentences.push('\n');
        }
    }
    // Every second piece stands between back quotes, which may span a line's end.
    for paragraph in sentences.split("\n\n") {
        commands
            .extend(paragraph.split('`').skip(1).step_by(2).map(|piece| piece.replace('\n', " ")));
    }
    commands
}

/// The arguments of the harness in a command, if it is one of it.
fn arguments_of_stowmark(command: &str) -> Option<String> {
    for program in ["stowmark", "target/release/stowmark", "./target/release/stowmark"] {
        if let Some(arguments) = command.strip_prefix(program).filter(|rest| is_end(rest)) {
            return Some(arguments.trim().into());
        }
    }
    let arguments = command.strip_prefix("cargo xtask run").filter(|rest| is_end(rest))?;
    Some(format!("run {}", arguments.trim()))
}

fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(' ')
}

/// The chores that xtask has, from its source: its program need not be built here, and cargo may be
/// busy.
fn chores() -> Vec<String> {
    let source = fs::read_to_string(root().join("crates/xtask/src/main.rs")).unwrap();
    let (_, after) = source.split_once("enum Chore {\n").unwrap();
    let (variants, _) = after.split_once("\n}").unwrap();
    let names = variants.lines().filter_map(|line| {
        let line = line.strip_prefix("    ").filter(|line| line.starts_with(char::is_uppercase))?;
        line.split(|c: char| !c.is_alphanumeric()).next()
    });
    names.map(kebab).collect()
}

fn kebab(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn check_chore(chores: &[String], command: &str) {
    let chore = command.split_whitespace().nth(2).unwrap_or_default();
    assert!(chores.iter().any(|known| known == chore), "`{command}` is none of {chores:?}");
}

/// The subcommand and each flag of a line, which may hold placeholders, are ones that help shows.
pub(crate) fn check_flags(place: &Place, line: &str) {
    let mut words = line.split_whitespace();
    let Some(command) = words.next().filter(|word| !word.starts_with('-')) else { return };
    let help = place.stowmark(&format!("{command} --help"));
    assert!(help.status.success(), "no command {command} for `stowmark {line}`: {help}");
    for flag in words.filter(|word| word.starts_with('-')) {
        let flag = flag.split('=').next().unwrap_or(flag);
        let known = help.stdout.split([' ', ',', '\n']).any(|word| word == flag);
        assert!(known, "no flag {flag} for `stowmark {line}`: {help}");
    }
}

/// Runs a command of the harness, made short. A result that it reads is made first.
fn check_run(place: &Place, line: &str) {
    let words: Vec<_> = line.split_whitespace().take_while(|word| !word.starts_with('>')).collect();
    for result in words.iter().filter(|word| word.ends_with(".json")) {
        if words[0] != "run" && !place.path(result).exists() {
            place.run(&format!("--out {result} --rounds 4")).exits(0);
        }
    }
    let line = words.join(" ");
    let outcome = match line.strip_prefix("run") {
        Some(flags) => place.run(flags),
        None => place.stowmark(&line),
    };
    assert!(outcome.status.success(), "{outcome}");
}

#[test]
fn every_command_in_a_block_works() {
    let place = Place::new();
    let chores = chores();
    let mut seen = 0;
    for (path, text) in documents() {
        for command in block_commands(&text) {
            seen += 1;
            if let Some(line) = arguments_of_stowmark(&command) {
                check_run(&place, &line);
            } else if command.starts_with("cargo xtask") {
                check_chore(&chores, &command);
            } else {
                let not_run = NOT_RUN.iter().any(|(start, _)| command.starts_with(start));
                assert!(not_run, "{}: who checks `{command}`?", path.display());
            }
        }
    }
    assert!(seen > 3, "the documents have commands: {seen}");
}

#[test]
fn every_command_in_a_sentence_has_the_flags_that_it_names() {
    let place = Place::new();
    let chores = chores();
    let mut seen = 0;
    for (_, text) in documents() {
        for command in inline_commands(&text) {
            if let Some(line) = arguments_of_stowmark(&command) {
                seen += 1;
                check_flags(&place, &line);
            }
            if command.starts_with("cargo xtask ") {
                seen += 1;
                check_chore(&chores, &command);
            }
        }
    }
    assert!(seen > 3, "the documents have commands: {seen}");
}

#[test]
fn commands_are_found_in_blocks_and_sentences() {
    let text = "Do `stowmark\nlist` or:\n\n```console\n$ cargo xtask run --op \\\n  put  # why\n\
                what it prints\n$ ls\n```\n\n```toml\n$ no\n```\n\n```sh\n# why\nls -l\n```\n";
    assert_eq!(block_commands(text), ["cargo xtask run --op   put", "ls", "ls -l"]);
    assert_eq!(inline_commands(text), ["stowmark list"]);
    assert_eq!(arguments_of_stowmark("cargo xtask run --op put").unwrap(), "run --op put");
    assert_eq!(arguments_of_stowmark("cargo xtask runs"), None);
    let chores = chores();
    assert!(chores.iter().any(|chore| chore == "bench-self"), "{chores:?}");
}
