//! The suites that come with the program, and how a suite is named on the command line.

use std::path::Path;
use std::sync::LazyLock;

use super::{Suite, SuiteError};
use crate::suggest::UnknownWord;

const FILES: &[(&str, &str)] = &[("blob-store.toml", include_str!("../../suites/blob-store.toml"))];

static SUITES: LazyLock<Vec<Suite>> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "the text is part of the program, and a test reads every one"
    )]
    let parse = |(file, text): &(&str, &str)| {
        Suite::parse(file, text).expect("a built-in suite has no mistake")
    };
    FILES.iter().map(parse).collect()
});

/// All built-in suites, in the order in which they are listed.
pub fn builtin() -> &'static [Suite] {
    &SUITES
}

/// The built-in suite of a name.
///
/// # Errors
/// If there is none: with the nearest name and all names.
pub fn builtin_suite(name: &str) -> Result<&'static Suite, UnknownWord> {
    let suites = builtin();
    suites.iter().find(|suite| suite.name == name).ok_or_else(|| {
        let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
        UnknownWord::new("suite", name, &names)
    })
}

/// The file of a built-in suite, as a start for one's own.
///
/// # Errors
/// If there is none: with the nearest name and all names.
pub fn builtin_text(name: &str) -> Result<&'static str, UnknownWord> {
    let suite = builtin_suite(name)?;
    let at = builtin().iter().position(|other| std::ptr::eq(other, suite));
    Ok(at.map_or("", |at| FILES[at].1))
}

/// The suite that a user means: a built-in one by its name, or a file by its path. A text with a
/// folder separator or ending in `.toml` is a path, anything else is a name.
///
/// # Errors
/// If there is no such suite, or the file cannot be read or has a mistake.
pub fn find(name_or_path: &str) -> Result<Suite, SuiteError> {
    let path = Path::new(name_or_path);
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if is_toml || name_or_path.contains(std::path::is_separator) {
        Suite::load(path)
    } else {
        builtin_suite(name_or_path).cloned().map_err(SuiteError::Unknown)
    }
}
