//! What a plugin says of itself, as the host reads it: the JSON text that the authors' kit wrote
//! into the library.
//!
//! Keys that are not known here are ignored, so that a newer plugin may say more; what later kits
//! may leave out has a default. Names are checked, since they become parts of commands and are
//! printed on terminals.

use serde::{Deserialize, Serialize};
use stowmark_abi as abi;

/// A version of the ABI.
#[derive(
    Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct AbiVersion {
    /// Another major number is refused.
    pub major: u32,
    /// A newer or an older minor number is loaded.
    pub minor: u32,
}

impl AbiVersion {
    /// This host's ABI.
    pub const OURS: Self = Self { major: abi::ABI_MAJOR, minor: abi::ABI_MINOR };
}

impl std::fmt::Display for AbiVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// What a plugin says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The plugin's name.
    pub name: String,
    /// The plugin's own version.
    pub version: String,
    /// The version of the authors' kit that it was built with.
    #[serde(default)]
    pub kit: String,
    /// The compiler that it was built with, as `rustc --version` says it.
    #[serde(default)]
    pub rustc: String,
    /// `release` or `debug`.
    #[serde(default)]
    pub profile: String,
    /// Its ABI; it stands before the text, not in it.
    #[serde(default)]
    pub abi: AbiVersion,
    /// Its engines, at least one.
    pub engines: Vec<EngineManifest>,
}

/// What a plugin says of one of its engines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineManifest {
    /// The engine's name.
    pub name: String,
    /// One line about it.
    #[serde(default)]
    pub help: String,
    /// The library below and its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// What it can hold: `blobs`, `records`.
    #[serde(default)]
    pub models: Vec<String>,
    /// Whether what is put can be read back.
    #[serde(default = "yes")]
    pub stores: bool,
    /// Its options.
    #[serde(default)]
    pub options: Vec<OptionManifest>,
    /// The tiers that it can ever honour, weakest first.
    pub tiers: Vec<TierManifest>,
    /// The tier that it has out of the box, one of `tiers`.
    pub default_tier: String,
    /// The servers that it needs.
    #[serde(default)]
    pub services: Vec<String>,
}

/// One option of an engine. Values are texts as a user would write them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OptionManifest {
    /// Its name.
    pub name: String,
    /// `bool`, `integer`, `number`, `size`, `duration`, `text`, `choice` or `path`.
    pub kind: String,
    /// The unit of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The value where the user gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The smallest value allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// The largest value allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// The values of a choice.
    #[serde(default)]
    pub values: Vec<String>,
    /// One line about it.
    #[serde(default)]
    pub help: String,
}

/// A tier that an engine can honour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TierManifest {
    /// The tier's name; one that this host does not know is a later ABI's.
    pub tier: String,
    /// What the engine does to keep it.
    #[serde(default)]
    pub how: String,
}

fn yes() -> bool {
    true
}

impl Manifest {
    /// The engine of that name.
    #[must_use]
    pub fn engine(&self, name: &str) -> Option<&EngineManifest> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    /// Reads the text that follows the header. The error is a phrase for people.
    pub(crate) fn read(json: &[u8], abi: AbiVersion) -> Result<Self, String> {
        let mut manifest: Self = serde_json::from_slice(json)
            .map_err(|error| format!("its text is not what a manifest says: {error}"))?;
        manifest.abi = abi;
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        check_name("the plugin", &self.name)?;
        if self.engines.is_empty() {
            return Err("it declares no engine".into());
        }
        for (at, engine) in self.engines.iter().enumerate() {
            check_name("an engine", &engine.name)?;
            if self.engines[..at].iter().any(|earlier| earlier.name == engine.name) {
                return Err(format!("it declares the engine {} twice", engine.name));
            }
            if !engine.tiers.iter().any(|tier| tier.tier == engine.default_tier) {
                return Err(format!(
                    "the default tier of {} is none of its tiers: {:?}",
                    engine.name, engine.default_tier
                ));
            }
            for option in &engine.options {
                check_name("an option", &option.name)?;
            }
        }
        Ok(())
    }
}

/// A name takes part in `LABEL=ENGINE@FILE:key=value,...` and is printed as it is.
fn check_name(what: &str, name: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(fits) {
        return Ok(());
    }
    Err(format!("{what} is called {name:?}; names are letters, digits, hyphens and underscores"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Manifest, String> {
        Manifest::read(json.as_bytes(), AbiVersion { major: 1, minor: 7 })
    }

    fn with_engine(engine: &str) -> Result<Manifest, String> {
        read(&format!(r#"{{"name":"p","version":"1","engines":[{engine}]}}"#))
    }

    const SHORT: &str = r#"{"name":"e","tiers":[{"tier":"os"}],"default_tier":"os"}"#;

    #[test]
    fn what_is_left_out_has_a_default_and_what_is_unknown_is_ignored() {
        let text = r#"{"name":"p","version":"1","later":[1],"abi":{"major":9,"minor":9},"engines":[
            {"name":"e","tiers":[{"tier":"os","odd":0}],"default_tier":"os","more":{}}]}"#;
        let manifest = read(text).unwrap();
        assert_eq!(manifest.abi, AbiVersion { major: 1, minor: 7 });
        assert_eq!(manifest, with_engine(SHORT).unwrap());
        assert!(manifest.engines[0].stores);
    }

    #[test]
    fn a_manifest_survives_being_written_and_read() {
        let manifest = with_engine(SHORT).unwrap();
        let text = serde_json::to_string(&manifest).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
    }

    #[test]
    fn what_could_not_be_named_or_chosen_is_refused() {
        let refused = |engine: &str| with_engine(engine).unwrap_err();
        assert!(refused(&format!("{SHORT},{SHORT}")).contains("the engine e twice"));
        assert!(refused(&SHORT.replace(r#""e""#, r#""e:x""#)).contains(r#""e:x""#));
        assert!(refused(&SHORT.replace(r#""e""#, r#""\u001b[2J""#)).contains("\\u{1b}"));
        assert!(
            refused(&SHORT.replace(r#""default_tier":"os""#, r#""default_tier":"media""#))
                .contains("default tier")
        );
        assert!(
            read(r#"{"name":"p","version":"1","engines":[]}"#).unwrap_err().contains("no engine")
        );
        assert!(read("[]").unwrap_err().contains("text"));
    }
}
