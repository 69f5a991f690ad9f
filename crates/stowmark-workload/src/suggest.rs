//! What was probably meant by a word that nobody knows.
//!
//! Every list of valid words in the harness (engines, options, suites, operations, keys of a suite
//! file) answers a wrong one alike: the word, the nearest valid one if there is a near one, and all
//! valid ones. A far-fetched suggestion is worse than none, because it reads as if it were known
//! what was meant; so the threshold is about a third of the word, and one slip for the shortest.

use thiserror::Error;

/// The candidate that `word` is most likely a slip of, or none if nothing is near.
///
/// Near means that at most a third of the letters (at least one) must be typed, dropped, changed or
/// swapped with a neighbour, or that three or more letters of a candidate's beginning were given.
/// Upper and lower case do not count. Of equally near candidates the first is taken.
pub fn nearest<'a, C>(word: &str, candidates: impl IntoIterator<Item = &'a C>) -> Option<&'a str>
where
    C: AsRef<str> + ?Sized + 'a,
{
    let given = word.to_lowercase();
    let letters = given.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        let lower = candidate.to_lowercase();
        let allowed = (letters.max(lower.chars().count()) / 3).max(1);
        let slips = strsim::damerau_levenshtein(&given, &lower);
        // A beginning ranks behind every real slip, and shorter candidates before longer ones.
        let distance = if slips <= allowed {
            slips
        } else if letters >= 3 && lower.starts_with(&given) {
            1000 + slips
        } else {
            continue;
        };
        // A candidate with no letter in common is no slip, however short both are.
        let related = lower.chars().any(|letter| given.contains(letter));
        if related && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A word that is not one of a fixed list. It prints as one line: the word, what it was taken for,
/// the nearest valid word if one is near, and all valid ones.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {what} \"{given}\"; {}", instead(.nearest, .valid))]
pub struct UnknownWord {
    /// What the word was taken for, such as `operation`.
    pub what: String,
    /// The word as it was given.
    pub given: String,
    /// The valid word that it is probably a slip of.
    pub nearest: Option<String>,
    /// All valid words.
    pub valid: Vec<String>,
}

impl UnknownWord {
    /// The error for `given`, which is none of the `valid` words for a `what`.
    pub fn new<C: AsRef<str>>(what: &str, given: &str, valid: &[C]) -> Self {
        Self {
            what: what.to_owned(),
            given: given.to_owned(),
            nearest: nearest(given, valid).map(str::to_owned),
            valid: valid.iter().map(|word| word.as_ref().to_owned()).collect(),
        }
    }
}

/// The second half of a message about a wrong word: the suggestion, if there is one, and what is valid.
pub(crate) fn instead(nearest: &Option<String>, valid: &[String]) -> String {
    let valid = valid.join(", ");
    match nearest {
        Some(word) => format!("did you mean \"{word}\"? Valid: {valid}"),
        None => format!("valid: {valid}"),
    }
}

/// Declares an enum whose variants are words that a user may type: `ALL`, `as_str`, `Display`, and a
/// `FromStr` whose error suggests the nearest word. One macro, so that they all behave alike.
macro_rules! word_enum {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident as $what:literal {
            $($(#[$variant_attribute:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $name {
            /// All variants, in the order in which they are listed to people.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word for it, as typed on the command line and in suite files.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::suggest::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::suggest::UnknownWord::new($what, word, &[$($word,)+])),
                }
            }
        }
    };
}
pub(crate) use word_enum;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: Option<&str>) {
        let engines = ["gridfs", "lobject", "redb", "filesystem", "sqlite", "null"];
        assert_eq!(nearest(word, &engines), expected, "for {word:?}");
    }

    #[test]
    fn a_slip_of_the_finger_finds_the_word() {
        check("rebd", Some("redb"));
        check("gridfd", Some("gridfs"));
        check("filesytem", Some("filesystem"));
        check("SQLite", Some("sqlite"));
        check("nul", Some("null"));
    }

    #[test]
    fn the_beginning_of_a_long_word_finds_it() {
        check("file", Some("filesystem"));
        check("grid", Some("gridfs"));
    }

    #[test]
    fn nothing_is_suggested_for_a_word_that_is_not_near() {
        check("mongodb", None);
        check("x", None);
        check("", None);
    }

    #[test]
    fn an_unknown_word_is_one_line_with_suggestion_and_all_valid_words() {
        let error = UnknownWord::new("operation", "gte", &["put", "get"]);
        assert_eq!(
            error.to_string(),
            "unknown operation \"gte\"; did you mean \"get\"? Valid: put, get"
        );
        let error = UnknownWord::new("operation", "weigh", &["put", "get"]);
        assert_eq!(error.to_string(), "unknown operation \"weigh\"; valid: put, get");
    }
}
