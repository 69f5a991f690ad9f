//! What an engine is opened with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use stowmark_abi as abi;

use crate::error::{Error, ErrorClass, Result};
use crate::info::Tier;

/// Options, tier and data folder for [`Engine::open`](crate::Engine::open).
///
/// The harness has checked every option against the manifest and gives each that has a default, so
/// a getter fails only for an option that was not declared that way.
#[derive(Clone, Debug)]
pub struct OpenRequest {
    options: BTreeMap<String, String>,
    tier: Tier,
    data_dir: PathBuf,
}

impl OpenRequest {
    /// A request by hand, for an engine's own tests. Options are in plain form: sizes in bytes,
    /// durations in nanoseconds.
    #[must_use]
    pub fn new(data_dir: &Path, tier: Tier, options: &[(&str, &str)]) -> Self {
        Self {
            options: options.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
            tier,
            data_dir: data_dir.into(),
        }
    }

    pub(crate) fn from_abi(request: &abi::OpenRequest<'_>) -> Result<Self> {
        Ok(Self {
            options: request
                .options
                .iter()
                .map(|pair| (pair.key.to_string(), pair.value.to_string()))
                .collect(),
            tier: Tier::from_abi(request.tier)?,
            data_dir: path_from_bytes(request.data_dir.into())?,
        })
    }

    /// The promise that each acknowledgement must keep. Refuse one that you cannot keep.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The store's own folder. It exists; whatever lies in it is yours, and may be from an earlier
    /// opening.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The option as text, if it was given or has a default.
    #[must_use]
    pub fn text(&self, option: &str) -> Option<&str> {
        self.options.get(option).map(String::as_str)
    }

    /// A size option in bytes, or an integer.
    ///
    /// # Errors
    ///
    /// `InvalidOption`, if it is absent or not a whole number.
    pub fn integer(&self, option: &str) -> Result<u64> {
        self.parse(option, "a whole number")
    }

    /// A number option.
    ///
    /// # Errors
    ///
    /// `InvalidOption`, if it is absent or not a number.
    pub fn number(&self, option: &str) -> Result<f64> {
        self.parse(option, "a number")
    }

    /// A truth-value option.
    ///
    /// # Errors
    ///
    /// `InvalidOption`, if it is absent or neither `true` nor `false`.
    pub fn bool(&self, option: &str) -> Result<bool> {
        self.parse(option, "true or false")
    }

    /// A duration option.
    ///
    /// # Errors
    ///
    /// `InvalidOption`, if it is absent or not a whole number of nanoseconds.
    pub fn duration(&self, option: &str) -> Result<Duration> {
        self.parse(option, "a whole number of nanoseconds").map(Duration::from_nanos)
    }

    fn parse<T: std::str::FromStr>(&self, option: &str, what: &str) -> Result<T> {
        let text = self.text(option).ok_or_else(|| {
            Error::new(ErrorClass::InvalidOption, format!("open: option {option} was not given"))
        })?;
        text.parse().map_err(|_| {
            Error::new(
                ErrorClass::InvalidOption,
                format!("open: option {option} is {text:?}, which is not {what}"),
            )
        })
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "on other platforms it can fail")]
fn path_from_bytes(bytes: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: &[u8]) -> Result<PathBuf> {
    std::str::from_utf8(bytes).map(Into::into).map_err(|_| {
        Error::new(ErrorClass::InvalidOption, "open: the data folder's name is not UTF-8")
    })
}
