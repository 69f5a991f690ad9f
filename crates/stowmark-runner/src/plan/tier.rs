//! Which tier each engine runs at.

use std::convert::Infallible;
use std::str::FromStr;

use stowmark_host::{EngineManifest, Tier};
use stowmark_workload::UnknownWord;

use super::{PlanError, usage};

/// What was asked about tiers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// The strongest tier that all engines can honour.
    #[default]
    Strongest,
    /// Each engine's own out-of-the-box tier.
    Default,
    /// This tier, by name.
    Tier(String),
}

impl Durability {
    /// The word for it in the result file.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Strongest => "strongest",
            Self::Default => "default",
            Self::Tier(name) => name,
        }
    }
}

impl FromStr for Durability {
    type Err = Infallible;

    fn from_str(word: &str) -> Result<Self, Infallible> {
        Ok(match word {
            "strongest" => Self::Strongest,
            "default" => Self::Default,
            _ => Self::Tier(word.into()),
        })
    }
}

/// The tier of each engine.
pub(super) fn resolve(
    durability: &Durability,
    engines: &[(&String, &EngineManifest)],
) -> Result<Vec<String>, PlanError> {
    match durability {
        Durability::Default => {
            Ok(engines.iter().map(|(_, engine)| engine.default_tier.clone()).collect())
        }
        Durability::Tier(name) => {
            check_name(name)?;
            if let Some((label, engine)) = engines.iter().find(|(_, e)| !honours(e, name)) {
                return Err(usage(format!(
                    "engine {label} cannot honour tier {name}: it has {}",
                    tiers(engine)
                )));
            }
            Ok(vec![name.clone(); engines.len()])
        }
        Durability::Strongest => {
            let common = Tier::ALL
                .into_iter()
                .rev()
                .map(Tier::name)
                .find(|tier| engines.iter().all(|(_, engine)| honours(engine, tier)));
            match common {
                Some(tier) => Ok(vec![tier.into(); engines.len()]),
                None => Err(no_common_tier(engines)),
            }
        }
    }
}

fn check_name(name: &str) -> Result<(), PlanError> {
    if Tier::from_name(name).is_some() {
        return Ok(());
    }
    let mut valid: Vec<_> = Tier::ALL.into_iter().map(Tier::name).collect();
    valid.push("default");
    Err(usage(UnknownWord::new("tier", name, &valid).to_string()))
}

fn honours(engine: &EngineManifest, tier: &str) -> bool {
    engine.tiers.iter().any(|candidate| candidate.tier == tier)
}

fn tiers(engine: &EngineManifest) -> String {
    let names: Vec<_> = engine.tiers.iter().map(|tier| tier.tier.as_str()).collect();
    names.join(", ")
}

fn no_common_tier(engines: &[(&String, &EngineManifest)]) -> PlanError {
    let each: Vec<_> =
        engines.iter().map(|(label, engine)| format!("{label} has {}", tiers(engine))).collect();
    usage(format!(
        "no tier that all engines can honour ({}): with --durability default each runs at its own, \
         and no winner is named",
        each.join("; ")
    ))
}
