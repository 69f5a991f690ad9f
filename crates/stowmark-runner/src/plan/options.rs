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
        let from_suite = given.is_none().then(|| suite.get(&option.name)).flatten();
        let value = match (given.or(from_suite), &option.default) {
            (Some(value), _) => plain(option, value).map_err(|why| {
                let of = if from_suite.is_some() { " (set by the suite)" } else { "" };
                let (name, engine) = (&option.name, &manifest.name);
                usage(format!("option {name} of engine {engine}{of}: {why}"))
            })?,
            // Of a kind that this harness does not know, the default is the engine's own business.
            (None, Some(default)) => plain(option, default).unwrap_or_else(|_| default.clone()),
            (None, None) => continue,
        };
        resolved.insert(option.name.clone(), value);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: &str) -> OptionManifest {
        OptionManifest {
            name: name.into(),
            kind: kind.into(),
            unit: None,
            default: None,
            min: None,
            max: None,
            values: Vec::new(),
            help: String::new(),
        }
    }

    fn within(kind: &str, min: &str, max: &str) -> OptionManifest {
        OptionManifest { min: Some(min.into()), max: Some(max.into()), ..option("x", kind) }
    }

    /// The value becomes that.
    fn check(option: &OptionManifest, value: &str, expected: &str) {
        assert_eq!(plain(option, value).as_deref(), Ok(expected), "{}: {value}", option.kind);
    }

    /// The value is refused, and the message holds all of these.
    fn check_refused(option: &OptionManifest, value: &str, parts: &[&str]) {
        let message = plain(option, value).unwrap_err();
        for part in parts {
            assert!(message.contains(part), "{}: {value}: {message}", option.kind);
        }
        assert!(!message.contains('\n'), "{message}");
    }

    #[test]
    fn sizes_become_bytes_and_durations_nanoseconds() {
        let size = option("x", "size");
        for (text, bytes) in [("512k", "524288"), ("1GiB", "1073741824"), ("77", "77")] {
            check(&size, text, bytes);
        }
        let duration = option("x", "duration");
        for (text, ns) in [("10ms", "10000000"), ("1.5s", "1500000000"), ("0s", "0")] {
            check(&duration, text, ns);
        }
        check_refused(&size, "5q", &["5q", "64KiB"]);
        check_refused(&size, "-1k", &["-1k", "negative"]);
        check_refused(&duration, "10", &["10", "lacks its unit", "500ms"]);
        check_refused(&duration, "fast", &["fast", "500ms"]);
    }

    #[test]
    fn other_kinds_stay_as_they_are_written() {
        check(&option("x", "bool"), "true", "true");
        check(&option("x", "integer"), "12", "12");
        check(&option("x", "number"), "-0.5", "-0.5");
        check(&option("x", "text"), "anything, really", "anything, really");
        check(&option("x", "path"), "./a b", "./a b");
        check_refused(&option("x", "bool"), "yes", &["yes", "true", "false"]);
        check_refused(&option("x", "integer"), "1.5", &["1.5", "whole number"]);
        check_refused(&option("x", "integer"), "-1", &["-1", "whole number"]);
        check_refused(&option("x", "number"), "much", &["much", "number"]);
        check_refused(&option("x", "number"), "NaN", &["NaN", "number"]);
        check_refused(&option("x", "colour"), "red", &["colour", "newer than this harness"]);
    }

    #[test]
    fn a_choice_names_all_values_and_the_nearest() {
        let choice = OptionManifest {
            values: ["delete", "wal"].map(Into::into).into(),
            ..option("x", "choice")
        };
        check(&choice, "wal", "wal");
        check_refused(&choice, "wall", &["wall", "did you mean \"wal\"", "delete, wal"]);
    }

    #[test]
    fn both_ends_of_a_range_are_allowed_and_nothing_beyond() {
        let size = within("size", "1k", "1M");
        check(&size, "1k", "1024");
        check(&size, "1M", "1048576");
        check_refused(&size, "1023", &["1023", "the least, 1k"]);
        check_refused(&size, "1048577", &["1048577", "the most, 1M"]);
        let duration = within("duration", "1ms", "1s");
        check_refused(&duration, "999us", &["the least, 1ms"]);
        check_refused(&duration, "2s", &["the most, 1s"]);
        let number = within("number", "-1", "1");
        check(&number, "-1", "-1");
        check_refused(&number, "1.1", &["1.1", "-1 to 1"]);
        check_refused(&within("integer", "1", "9"), "10", &["the most, 9"]);
    }
}
