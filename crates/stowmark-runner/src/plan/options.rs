//! An engine's options: checked against its manifest and brought to plain form.

use std::collections::BTreeMap;
use std::time::Duration;

use stowmark_host::{EngineManifest, OptionManifest};
use stowmark_workload::{UnknownWord, parse_duration, parse_size};

use super::{EngineSpec, PlanError, usage};

/// All options that the engine is opened with: the user's, else the suite's, else the default.
pub(super) fn resolve(
    spec: &EngineSpec,
    manifest: &EngineManifest,
    suite: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, PlanError> {
    for (name, _) in &spec.options {
        if !manifest.options.iter().any(|option| option.name == *name) {
            let names: Vec<_> = manifest.options.iter().map(|o| o.name.as_str()).collect();
            let engine = &manifest.name;
            if names.is_empty() {
                return Err(usage(format!("engine {engine} has no options, so not {name:?}")));
            }
            let unknown = UnknownWord::new("option", name, &names);
            return Err(usage(format!("engine {engine}: {unknown}")));
        }
    }
    let mut resolved = BTreeMap::new();
    for option in &manifest.options {
        let given = spec.options.iter().find(|(name, _)| *name == option.name).map(|(_, v)| v);
        let value = given.or_else(|| suite.get(&option.name)).or(option.default.as_ref());
        if let Some(value) = value {
            let plain = plain(option, value).map_err(|why| {
                usage(format!("option {} of engine {}: {why}", option.name, manifest.name))
            })?;
            resolved.insert(option.name.clone(), plain);
        }
    }
    Ok(resolved)
}

/// The value in plain form, if it is one that the option takes.
fn plain(option: &OptionManifest, value: &str) -> Result<String, String> {
    match option.kind.as_str() {
        "bool" => match value {
            "true" | "false" => Ok(value.into()),
            _ => Err(format!("{value:?} is neither true nor false")),
        },
        "choice" if option.values.iter().any(|valid| valid == value) => Ok(value.into()),
        "choice" => Err(UnknownWord::new("value", value, &option.values).to_string()),
        "size" => bounded(option, value, |text| parse_size(text).map_err(|e| e.to_string())),
        "duration" => bounded(option, value, |text| {
            parse_duration(text).map_err(|e| e.to_string()).and_then(nanoseconds)
        }),
        "integer" => bounded(option, value, |text| {
            text.parse::<u64>().map_err(|_| format!("{text:?} is not a whole number"))
        }),
        "number" => number(option, value),
        "text" | "path" => Ok(value.into()),
        other => Err(format!("its kind {other:?} is newer than this harness: update it")),
    }
}

fn nanoseconds(duration: Duration) -> Result<u64, String> {
    u64::try_from(duration.as_nanos()).map_err(|_| "is longer than 584 years".into())
}

fn bounded(
    option: &OptionManifest,
    value: &str,
    parse: impl Fn(&str) -> Result<u64, String>,
) -> Result<String, String> {
    let number = parse(value)?;
    if let Some(min) = &option.min
        && number < parse(min)?
    {
        return Err(format!("{value} is below the least, {min}"));
    }
    if let Some(max) = &option.max
        && number > parse(max)?
    {
        return Err(format!("{value} is above the most, {max}"));
    }
    Ok(number.to_string())
}

fn number(option: &OptionManifest, value: &str) -> Result<String, String> {
    let parse = |text: &str| {
        text.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .ok_or_else(|| format!("{text:?} is not a number"))
    };
    let number = parse(value)?;
    let least = option.min.as_deref().map(parse).transpose()?;
    let most = option.max.as_deref().map(parse).transpose()?;
    if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
        return Err(format!(
            "{value} is outside of {} to {}",
            option.min.as_deref().unwrap_or("any"),
            option.max.as_deref().unwrap_or("any")
        ));
    }
    Ok(value.into())
}
