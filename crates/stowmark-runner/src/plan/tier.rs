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
            let later = |engine: &EngineManifest| Tier::from_name(&engine.default_tier).is_none();
            if let Some((label, engine)) = engines.iter().find(|(_, engine)| later(engine)) {
                return Err(usage(format!(
                    "the default tier of engine {label}, {}, is newer than this harness: update \
                     it, or ask for a tier with --durability; the engine has {}",
                    engine.default_tier,
                    tiers(engine)
                )));
            }
            Ok(engines.iter().map(|(_, engine)| engine.default_tier.clone()).collect())
        }
        Durability::Tier(name) => {
            check_name(name)?;
            if let Some((label, engine)) = engines.iter().find(|(_, e)| !honours(e, name)) {
                return Err(usage(format!(
                    "engine {label} cannot honour tier {name}: it has {}{}",
                    tiers(engine),
                    shared(engines)
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
    valid.extend(["default", "strongest"]);
    Err(usage(UnknownWord::new("tier", name, &valid).to_string()))
}

fn honours(engine: &EngineManifest, tier: &str) -> bool {
    engine.tiers.iter().any(|candidate| candidate.tier == tier)
}

fn tiers(engine: &EngineManifest) -> String {
    let names: Vec<_> = engine.tiers.iter().map(|tier| tier.tier.as_str()).collect();
    names.join(", ")
}

/// What could be asked for instead, where that is not said by what one engine has.
fn shared(engines: &[(&String, &EngineManifest)]) -> String {
    let common = Tier::ALL.into_iter().map(Tier::name);
    let common: Vec<_> =
        common.filter(|tier| engines.iter().all(|(_, engine)| honours(engine, tier))).collect();
    match (engines.len(), common.is_empty()) {
        (1, _) => String::new(),
        (_, true) => "; the engines share no tier".into(),
        (_, false) => format!("; all of the engines have {}", common.join(", ")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use stowmark_host::TierManifest;

    fn engine(tiers: &[&str], default_tier: &str) -> EngineManifest {
        let tier = |tier: &&str| TierManifest { tier: (*tier).into(), how: String::new() };
        EngineManifest {
            name: "engine".into(),
            help: String::new(),
            library: None,
            models: vec!["blobs".into()],
            stores: true,
            options: Vec::new(),
            tiers: tiers.iter().map(tier).collect(),
            default_tier: default_tier.into(),
            services: Vec::new(),
        }
    }

    /// The tiers of two engines, or the message.
    fn tiers_of(asked: &str, a: EngineManifest, b: EngineManifest) -> Result<Vec<String>, String> {
        let Ok(durability) = asked.parse();
        let labels = ["a".to_string(), "b".to_string()];
        resolve(&durability, &[(&labels[0], &a), (&labels[1], &b)]).map_err(|e| e.to_string())
    }

    fn files() -> EngineManifest {
        engine(&["os", "media"], "os")
    }

    fn server() -> EngineManifest {
        engine(&["unacknowledged", "acknowledged", "media"], "acknowledged")
    }

    fn memory() -> EngineManifest {
        engine(&["acknowledged"], "acknowledged")
    }

    fn check_refused(result: Result<Vec<String>, String>, parts: &[&str]) {
        let message = result.unwrap_err();
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
        assert!(!message.contains('\n'), "{message}");
    }

    #[test]
    fn the_strongest_common_tier_is_taken() {
        assert_eq!(tiers_of("strongest", files(), server()).unwrap(), ["media", "media"]);
        let weak = engine(&["os", "acknowledged"], "os");
        assert_eq!(tiers_of("strongest", weak, server()).unwrap(), ["acknowledged"; 2]);
        assert_eq!(Durability::default(), Durability::Strongest);
    }

    #[test]
    fn each_may_run_at_its_own() {
        assert_eq!(tiers_of("default", files(), server()).unwrap(), ["os", "acknowledged"]);
    }

    #[test]
    fn a_tier_that_is_asked_for_is_taken_or_refused_and_never_replaced() {
        assert_eq!(tiers_of("media", files(), server()).unwrap(), ["media", "media"]);
        let refused = tiers_of("os", files(), server());
        let has = "it has unacknowledged, acknowledged, media; all of the engines have media";
        check_refused(refused, &["engine b", "tier os", has]);
        let has = "it has acknowledged; the engines share no tier";
        check_refused(tiers_of("media", memory(), files()), &["engine a", has]);
    }

    #[test]
    fn an_unknown_tier_is_answered_with_all_and_the_nearest() {
        let refused = tiers_of("medai", files(), server());
        check_refused(refused, &["medai", "did you mean \"media\"", "os, media, default"]);
    }

    #[test]
    fn without_a_common_tier_it_is_said_what_each_has() {
        let refused = tiers_of("strongest", files(), memory());
        let parts = ["a has os, media", "b has acknowledged", "--durability default"];
        check_refused(refused, &parts);
    }

    #[test]
    fn a_tier_of_a_later_abi_is_no_common_one_and_no_default() {
        let later = || engine(&["os", "replicated"], "replicated");
        assert_eq!(tiers_of("strongest", later(), later()).unwrap(), ["os", "os"]);
        let refused = tiers_of("default", files(), later());
        check_refused(refused, &["engine b", "replicated", "newer than this harness"]);
    }

    #[test]
    fn what_was_asked_for_is_told_by_the_word_it_was_asked_with() {
        for word in ["strongest", "default", "media"] {
            let Ok(durability) = word.parse::<Durability>();
            assert_eq!(durability.as_str(), word);
        }
    }
}
