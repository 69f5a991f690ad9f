//! Engine specs: `[LABEL=]ENGINE[@PLUGIN_FILE][:key=value[,key=value...]]`.

use std::path::PathBuf;
use std::str::FromStr;

/// One engine as the user names it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// The label, where one is given.
    pub given_label: Option<String>,
    /// The engine's name.
    pub engine: String,
    /// The plugin's file, where one is given.
    pub plugin: Option<PathBuf>,
    /// The options as written, none twice.
    pub options: Vec<(String, String)>,
}

/// Why a text is no engine spec.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "engine spec {text:?}: {why}; write [LABEL=]ENGINE[@PLUGIN_FILE][:key=value,...], such as big=redb:cache=1GiB"
)]
pub struct SpecError {
    text: String,
    why: String,
}

impl EngineSpec {
    /// The label in the run: the given one, else the engine with its options as written.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.given_label {
            Some(label) => label.clone(),
            None => self.text_without_label(),
        }
    }

    /// The spec as one would write it, without a label and a plugin file.
    #[must_use]
    pub fn text_without_label(&self) -> String {
        format!("{}{}", self.engine, self.options_text())
    }

    /// The spec as one would write it, without a label.
    #[must_use]
    pub fn text_with_file(&self) -> String {
        let file = self.plugin.as_ref().map(|path| format!("@{}", path.display()));
        format!("{}{}{}", self.engine, file.unwrap_or_default(), self.options_text())
    }

    fn options_text(&self) -> String {
        let options: Vec<_> =
            self.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if options.is_empty() { String::new() } else { format!(":{}", options.join(",")) }
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        parse(text).map_err(|why| SpecError { text: text.into(), why })
    }
}

fn parse(text: &str) -> Result<EngineSpec, String> {
    let (head, tail) = match text.split_once(':') {
        Some((head, tail)) => (head, Some(tail)),
        None => (text, None),
    };
    let (label, head) = match head.split_once('=') {
        Some((label, head)) => (Some(label), head),
        None => (None, head),
    };
    let (engine, plugin) = match head.split_once('@') {
        Some((engine, plugin)) => (engine, Some(plugin)),
        None => (head, None),
    };
    if let Some(label) = label {
        check_label(label)?;
    }
    if engine.is_empty() || !engine.chars().all(is_word) {
        return Err(format!("{engine:?} is no engine's name (letters, digits, hyphens)"));
    }
    if plugin.is_some_and(str::is_empty) {
        return Err("no plugin file after @".into());
    }
    Ok(EngineSpec {
        given_label: label.map(Into::into),
        engine: engine.into(),
        plugin: plugin.map(Into::into),
        options: tail.map_or(Ok(Vec::new()), options)?,
    })
}

/// A label becomes part of file names and of table rows.
fn check_label(label: &str) -> Result<(), String> {
    let fits = |c: char| is_word(c) || matches!(c, '_' | '.' | '+');
    if label.is_empty() || label.len() > 40 || label.starts_with('.') || !label.chars().all(fits) {
        return Err(format!(
            "{label:?} is no label (up to 40 letters, digits, hyphens, underscores, dots, pluses)"
        ));
    }
    Ok(())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

/// Splits at commas, but only before the next `key=`: a value may hold commas, as a list of hosts
/// in a URI does.
fn options(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut options: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        match piece.split_once('=').filter(|(key, _)| !key.is_empty() && key.chars().all(is_word)) {
            Some((key, _)) if options.iter().any(|(other, _)| other == key) => {
                return Err(format!("option {key} is given twice"));
            }
            Some((key, value)) => options.push((key.into(), value.into())),
            None => match options.last_mut() {
                Some((_, value)) => {
                    value.push(',');
                    value.push_str(piece);
                }
                None => return Err(format!("{piece:?} is no key=value")),
            },
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_engine_is_its_own_label() {
        let spec: EngineSpec = "redb".parse().unwrap();
        assert_eq!((spec.engine.as_str(), spec.label().as_str()), ("redb", "redb"));
    }

    #[test]
    fn label_file_and_options_are_told_apart() {
        let spec: EngineSpec = "old=redb@./lib/x_2.so:cache=1GiB,chunk=64k".parse().unwrap();
        assert_eq!(spec.label(), "old");
        assert_eq!(spec.engine, "redb");
        assert_eq!(spec.plugin, Some("./lib/x_2.so".into()));
        assert_eq!(spec.options, [("cache".into(), "1GiB".into()), ("chunk".into(), "64k".into())]);
    }

    #[test]
    fn a_value_may_hold_colons_equals_signs_and_commas() {
        let spec: EngineSpec = "gridfs:uri=mongodb://a:1,b:2/?w=1,chunk=256k".parse().unwrap();
        assert_eq!(spec.options[0].1, "mongodb://a:1,b:2/?w=1");
        assert_eq!(spec.options[1].1, "256k");
    }

    #[test]
    fn options_without_a_label_are_part_of_it() {
        let spec: EngineSpec = "redb:cache=1GiB".parse().unwrap();
        assert_eq!(spec.label(), "redb:cache=1GiB");
    }

    #[test]
    fn what_is_no_spec_is_refused_with_the_form() {
        for text in ["", "=redb", "a b=redb", "redb@", "redb:cache", "redb:a=1,a=2", ".x=redb"] {
            let message = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(message.contains("write [LABEL=]ENGINE"), "{message}");
        }
    }
}
