//! TOML values with their place in the file, and what is asked of them.
//!
//! The `toml` crate's serde side reports a type error with a place, but not the nearest key, and not
//! the place of a value that only our own types refuse. So the spanned document is walked here: every
//! value carries its key's path and its position, and every question that it cannot answer becomes a
//! [`Mistake`] at that position.

use std::num::IntErrorKind;
use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Mistake, Problem};
use crate::payload::PayloadKind;
use crate::suggest::{UnknownWord, nearest};
use crate::units::parse_size;

pub(super) type Result<T> = std::result::Result<T, Box<Mistake>>;

/// The text that is read, for the place of a mistake.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// What the TOML parser refused: its message, and what it points at if that is short.
    pub(super) fn syntax(&self, error: &toml::de::Error) -> Box<Mistake> {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().trim().replace('\n', ", ");
        let written = self.text.get(span.clone()).unwrap_or_default().trim();
        let message = match written.len() {
            1..=40 if !written.contains('\n') => format!("{message}, at `{written}`"),
            _ => message,
        };
        self.mistake(span, Problem::Syntax(message))
    }

    /// A mistake at a byte range of the text.
    pub(super) fn mistake(&self, span: Range<usize>, problem: Problem) -> Box<Mistake> {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Box::new(Mistake {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            // A byte order mark is no column that an editor would show.
            column: before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1,
            problem,
        })
    }
}

/// One table, whose keys have been found to be valid.
pub(super) struct Table<'a> {
    source: Source<'a>,
    path: String,
    span: Range<usize>,
    table: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    /// The whole document.
    pub(super) fn root(source: Source<'a>, document: &'a Spanned<DeTable<'a>>) -> Self {
        Self {
            source,
            path: String::new(),
            // A key that the document lacks is missing from its beginning.
            span: 0..0,
            table: document.get_ref(),
        }
    }

    /// Refuses all keys but these; the first unknown one in the file is reported.
    pub(super) fn only(self, valid: &[&str]) -> Result<Self> {
        let unknown = self.table.keys().filter(|key| !valid.contains(&&**key.get_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(self),
            Some(key) => Err(self.source.mistake(
                key.span(),
                Problem::UnknownKey {
                    key: key.get_ref().to_string(),
                    table: self.heading(),
                    nearest: nearest(key.get_ref(), valid).map(str::to_owned),
                    valid: valid.iter().map(|&word| word.to_owned()).collect(),
                },
            )),
        }
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        let value = self.table.get(key)?;
        Some(self.value(key, value))
    }

    /// The value of a key that must be there.
    pub(super) fn require(&self, key: &str) -> Result<Value<'a>> {
        self.get(key).ok_or_else(|| self.missing(key, Vec::new()))
    }

    /// The value of a key that must be there and takes words of one of our own types, which are
    /// told where it is missing.
    pub(super) fn require_words<T>(&self, key: &str) -> Result<Value<'a>>
    where
        T: FromStr<Err = UnknownWord>,
    {
        // No type has the empty word, so what is wrong with it tells the valid ones.
        let valid = || "".parse::<T>().err().map_or(Vec::new(), |error| error.valid);
        self.get(key).ok_or_else(|| self.missing(key, valid()))
    }

    fn missing(&self, key: &str, valid: Vec<String>) -> Box<Mistake> {
        self.mistake(Problem::MissingKey { key: key.to_owned(), table: self.heading(), valid })
    }

    /// All keys and values.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let entries = self.table.iter();
        entries.map(|(key, value)| (&**key.get_ref(), self.value(key.get_ref(), value)))
    }

    /// A mistake of the table as a whole.
    pub(super) fn mistake(&self, problem: Problem) -> Box<Mistake> {
        self.source.mistake(self.span.clone(), problem)
    }

    /// The table's own path, such as `published.figure`.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    fn heading(&self) -> String {
        if self.path.is_empty() { "the suite".to_owned() } else { format!("[{}]", self.path) }
    }

    fn value(&self, key: &str, value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        let dot = if self.path.is_empty() { "" } else { "." };
        Value { source: self.source, path: format!("{}{dot}{key}", self.path), value }
    }
}

/// One value, with the path of its key.
pub(super) struct Value<'a> {
    source: Source<'a>,
    path: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// The key's path, such as `workload.size`.
    pub(super) fn path(&self) -> String {
        self.path.clone()
    }

    /// A mistake at this value.
    pub(super) fn mistake(&self, problem: Problem) -> Box<Mistake> {
        self.source.mistake(self.value.span(), problem)
    }

    /// A text that is not empty.
    pub(super) fn text(&self) -> Result<&'a str> {
        match self.value.get_ref().as_str() {
            Some(text) if text.trim().is_empty() => {
                Err(self.mistake(Problem::EmptyText { key: self.path() }))
            }
            Some(text) => Ok(text),
            None => Err(self.wrong_type("a text in quotes")),
        }
    }

    /// A name: lower-case letters, digits and hyphens.
    pub(super) fn name(&self) -> Result<&'a str> {
        let text = self.text()?;
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if text.bytes().all(fits) {
            Ok(text)
        } else {
            Err(self.mistake(Problem::BadName { key: self.path(), value: text.to_owned() }))
        }
    }

    /// A word of one of our own types.
    pub(super) fn word<T: FromStr<Err = UnknownWord>>(&self) -> Result<T> {
        self.text()?.parse().map_err(|error| {
            let key = self.path();
            self.mistake(Problem::UnknownWord { key, error })
        })
    }

    /// A size of at least one byte, as a text such as "1k" or a number of bytes.
    pub(super) fn size(&self) -> Result<u64> {
        let size = match self.value.get_ref() {
            DeValue::String(text) => parse_size(text).map_err(|error| {
                let key = self.path();
                self.mistake(Problem::Size { key, error })
            })?,
            DeValue::Integer(_) => self.count(u64::MAX)?,
            _ => return Err(self.wrong_type("a size such as \"10k\"")),
        };
        if size == 0 {
            return Err(self.out_of_range("at least 1"));
        }
        Ok(size)
    }

    /// A kind of payload.
    pub(super) fn payload(&self) -> Result<PayloadKind> {
        self.text()?.parse().map_err(|error| {
            let key = self.path();
            self.mistake(Problem::Payload { key, error })
        })
    }

    /// A whole number from 1 to `max`.
    pub(super) fn count(&self, max: u64) -> Result<u64> {
        let Some(number) = self.value.get_ref().as_integer() else {
            return Err(self.wrong_type("a whole number, without quotes"));
        };
        match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(count) if (1..=max).contains(&count) => Ok(count),
            Err(error) if *error.kind() != IntErrorKind::PosOverflow => {
                Err(self.out_of_range("at least 1"))
            }
            Ok(0) => Err(self.out_of_range("at least 1")),
            _ => Err(self.out_of_range(&format!("at most {max}"))),
        }
    }

    /// A whole number from 1 that fits 32 bits.
    pub(super) fn count_u32(&self) -> Result<u32> {
        let count = self.count(u64::from(u32::MAX))?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// A finite number that `fits`, which is said in words as `expected`.
    pub(super) fn number(&self, expected: &str, fits: impl Fn(f64) -> bool) -> Result<f64> {
        let number = match self.value.get_ref() {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .ok()
                .map(|number| number as f64),
            _ => return Err(self.wrong_type("a number, without quotes")),
        };
        number
            .filter(|number: &f64| number.is_finite() && fits(*number))
            .ok_or_else(|| self.out_of_range(expected))
    }

    /// What an engine's option is set to: a text, a number or a truth value, as it is written.
    pub(super) fn option(&self) -> Result<String> {
        match self.value.get_ref() {
            DeValue::String(_) => self.text().map(str::to_owned),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            DeValue::Boolean(truth) => Ok(truth.to_string()),
            _ => Err(self.wrong_type("a text, a number, true or false")),
        }
    }

    /// A list of at least one element, none of them equal to another.
    pub(super) fn list<T: PartialEq>(
        &self,
        expected: &str,
        read: impl Fn(&Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let elements = self.elements(expected)?;
        if elements.is_empty() {
            return Err(self.mistake(Problem::EmptyList { key: self.path() }));
        }
        let mut found = Vec::with_capacity(elements.len());
        for element in elements {
            let value = read(&element)?;
            if found.contains(&value) {
                return Err(element
                    .mistake(Problem::Duplicate { key: self.path(), value: element.written() }));
            }
            found.push(value);
        }
        Ok(found)
    }

    /// The tables of an array of tables.
    pub(super) fn tables(&self) -> Result<Vec<Table<'a>>> {
        let expected = format!("tables under [[{}]]", self.path);
        self.elements(&expected)?.iter().map(Self::table).collect()
    }

    /// A table.
    pub(super) fn table(&self) -> Result<Table<'a>> {
        match self.value.get_ref().as_table() {
            Some(table) => {
                Ok(Table { source: self.source, path: self.path(), span: self.value.span(), table })
            }
            None => Err(self.wrong_type(&format!("a table under [{}]", self.path))),
        }
    }

    /// The value as it is written in the file.
    pub(super) fn written(&self) -> String {
        let written = self.source.text.get(self.value.span());
        written.unwrap_or_default().to_owned()
    }

    fn elements(&self, expected: &str) -> Result<Vec<Self>> {
        let Some(elements) = self.value.get_ref().as_array() else {
            return Err(self.wrong_type(expected));
        };
        let element = |value| Self { source: self.source, path: self.path(), value };
        Ok(elements.iter().map(element).collect())
    }

    fn out_of_range(&self, expected: &str) -> Box<Mistake> {
        self.mistake(Problem::OutOfRange {
            key: self.path(),
            value: self.written(),
            expected: expected.to_owned(),
        })
    }

    fn wrong_type(&self, expected: &str) -> Box<Mistake> {
        let found = match self.value.get_ref() {
            DeValue::String(text) => format!("the text \"{text}\""),
            DeValue::Integer(number) => format!("the whole number {number}"),
            DeValue::Float(number) => format!("the number {number}"),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(_) => "a date or time".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.mistake(Problem::WrongType { key: self.path(), expected: expected.to_owned(), found })
    }
}
