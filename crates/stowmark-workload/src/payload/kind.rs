//! The names of the kinds of payload, as typed and as printed in results.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::PayloadError;
use crate::suggest::UnknownWord;

/// What the stored bytes are like. Printed and parsed as `text`, `random`, `zero`, `ratio:0.5` and
/// `file:PATH`.
#[derive(Debug, Clone, PartialEq)]
pub enum PayloadKind {
    /// Words that compress as such text does, made as the published blob benchmark made them.
    Text,
    /// Noise, which no engine can compress.
    Random,
    /// Zeros. The only kind whose payloads are all equal.
    Zero,
    /// Bytes of which a compressor leaves about this share, above 0 and at most 1.
    Ratio(f64),
    /// The bytes of a file.
    File(PathBuf),
}

impl PayloadKind {
    /// The forms that parse, for messages and help.
    pub const FORMS: [&str; 5] = ["text", "random", "zero", "ratio:0.5", "file:PATH"];
}

impl FromStr for PayloadKind {
    type Err = PayloadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(share) = text.strip_prefix("ratio:") {
            let wrong = || PayloadError::Ratio(share.to_owned());
            let ratio: f64 = share.parse().map_err(|_| wrong())?;
            return is_ratio(ratio).then_some(Self::Ratio(ratio)).ok_or_else(wrong);
        }
        match text.strip_prefix("file:") {
            Some("") => return Err(PayloadError::NoPath),
            Some(path) => return Ok(Self::File(PathBuf::from(path))),
            None => {}
        }
        match text {
            "text" => Ok(Self::Text),
            "random" => Ok(Self::Random),
            "zero" => Ok(Self::Zero),
            _ => Err(UnknownWord::new("payload", text, &Self::FORMS).into()),
        }
    }
}

impl fmt::Display for PayloadKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => formatter.pad("text"),
            Self::Random => formatter.pad("random"),
            Self::Zero => formatter.pad("zero"),
            Self::Ratio(ratio) => formatter.pad(&format!("ratio:{ratio}")),
            Self::File(path) => formatter.pad(&format!("file:{}", path.display())),
        }
    }
}

/// Whether a number can be the share that is left after compression.
pub(super) fn is_ratio(ratio: f64) -> bool {
    ratio > 0.0 && ratio <= 1.0
}
