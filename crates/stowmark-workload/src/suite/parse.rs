//! The keys of a suite file and what they mean.

use toml::de::DeTable;

use super::error::Problem;
use super::reader::{Result, Source, Table, Value};
use super::{Clock, Published, PublishedDifference, PublishedFigure, Suite, Workload};
use crate::op::{Model, Op, Verify};
use crate::order::KeyOrder;
use crate::payload::PayloadKind;
use crate::units::format_size;

const SUITE_KEYS: &[&str] =
    &["name", "title", "follows", "model", "workload", "options", "published"];

const WORKLOAD_KEYS: &[&str] =
    &["op", "size", "data", "key-order", "executions", "rounds", "clients", "ops", "verify"];

const PUBLISHED_KEYS: &[&str] = &["note", "figure", "difference"];

const FIGURE_KEYS: &[&str] = &["op", "size", "clock", "engine", "mean-s"];

const DIFFERENCE_KEYS: &[&str] = &[
    "op",
    "size",
    "clock",
    "engine",
    "baseline",
    "percent",
    "plus-minus-percent",
    "confidence-percent",
];

/// Every key that some table takes.
#[cfg(test)]
pub(super) fn all_keys() -> impl Iterator<Item = &'static str> {
    let tables = [SUITE_KEYS, WORKLOAD_KEYS, PUBLISHED_KEYS, FIGURE_KEYS, DIFFERENCE_KEYS];
    tables.into_iter().flatten().copied()
}

const DEFAULT_EXECUTIONS: u32 = 5;
const DEFAULT_ROUNDS: u32 = 6;

pub(super) fn suite(file: &str, text: &str) -> Result<Suite> {
    let source = Source { file, text };
    let document = DeTable::parse(text).map_err(|error| source.syntax(&error))?;
    let table = Table::root(source, &document).only(SUITE_KEYS)?;
    let name = table.require("name")?.name()?.to_owned();
    let title = table.require("title")?.text()?.to_owned();
    let follows = optional(&table, "follows", |value| value.text().map(str::to_owned))?;
    let model: Model = table.require_words::<Model>("model")?.word()?;
    let workload_table = table.require("workload")?.table()?.only(WORKLOAD_KEYS)?;
    let workload = workload(&workload_table, None)?;
    let mut suite = Suite {
        name,
        title,
        follows,
        model,
        workload,
        options: Default::default(),
        published: None,
    };
    if let Some(options) = table.get("options") {
        for (key, value) in options.table()?.entries() {
            suite.options.insert(key.to_owned(), value.option()?);
        }
    }
    if let Some(value) = table.get("published") {
        suite.published = Some(published(value.table()?, &suite.workload)?);
    }
    Ok(suite)
}

/// Reads the keys of a workload. What is not there is as in `base`, or as it is by default.
fn workload(table: &Table<'_>, base: Option<&Workload>) -> Result<Workload> {
    let op = match (table.get("op"), base) {
        (None, Some(base)) => base.op.clone(),
        _ => {
            let op = table.require_words::<Op>("op")?;
            op.list("a list such as [\"put\", \"get\"]", Value::word::<Op>)?
        }
    };
    let size = match (table.get("size"), base) {
        (None, Some(base)) => base.size.clone(),
        _ => table.require("size")?.list("a list such as [\"1k\", \"10k\"]", Value::size)?,
    };
    let data = optional(table, "data", Value::payload)?;
    let key_order = optional(table, "key-order", Value::word)?;
    let executions = optional(table, "executions", Value::count_u32)?;
    let rounds = optional(table, "rounds", Value::count_u32)?;
    let clients = optional(table, "clients", Value::count_u32)?;
    let ops = optional(table, "ops", |value| value.count(u64::MAX))?;
    let verify = optional(table, "verify", Value::word)?;
    let base = base.cloned().unwrap_or(Workload {
        op: Vec::new(),
        size: Vec::new(),
        data: PayloadKind::Text,
        key_order: KeyOrder::Random,
        executions: DEFAULT_EXECUTIONS,
        rounds: DEFAULT_ROUNDS,
        clients: 1,
        ops: None,
        verify: Verify::Full,
    });
    Ok(Workload {
        op,
        size,
        data: data.unwrap_or(base.data),
        key_order: key_order.unwrap_or(base.key_order),
        executions: executions.unwrap_or(base.executions),
        rounds: rounds.unwrap_or(base.rounds),
        clients: clients.unwrap_or(base.clients),
        ops: ops.or(base.ops),
        verify: verify.unwrap_or(base.verify),
    })
}

fn published(table: Table<'_>, base: &Workload) -> Result<Published> {
    let table = table.only(&[WORKLOAD_KEYS, PUBLISHED_KEYS].concat())?;
    let workload = workload(&table, Some(base))?;
    let note = optional(&table, "note", |value| value.text().map(str::to_owned))?;
    let figures = rows(&table, "figure", |row| figure(row, &workload))?;
    let differences = rows(&table, "difference", |row| difference(row, &workload))?;
    Ok(Published { workload, note, figures, differences })
}

/// Reads an array of tables, of which no two may be about the same thing.
fn rows<'a, T: About>(
    table: &Table<'a>,
    key: &str,
    read: impl Fn(Table<'a>) -> Result<(T, Table<'a>)>,
) -> Result<Vec<T>> {
    let mut found: Vec<T> = Vec::new();
    let tables = table.get(key).map(|value| value.tables()).transpose()?;
    for row in tables.unwrap_or_default() {
        let (value, row) = read(row)?;
        if found.iter().any(|earlier| earlier.about() == value.about()) {
            return Err(row
                .mistake(Problem::Duplicate { key: row.path().to_owned(), value: value.about() }));
        }
        found.push(value);
    }
    Ok(found)
}

fn figure<'a>(row: Table<'a>, workload: &Workload) -> Result<(PublishedFigure, Table<'a>)> {
    let row = row.only(FIGURE_KEYS)?;
    let (op, size) = published_case(&row, workload)?;
    let figure = PublishedFigure {
        op,
        size,
        clock: row.require_words::<Clock>("clock")?.word()?,
        engine: row.require("engine")?.name()?.to_owned(),
        mean_s: row.require("mean-s")?.number("above 0", |number| number > 0.0)?,
    };
    Ok((figure, row))
}

fn difference<'a>(row: Table<'a>, workload: &Workload) -> Result<(PublishedDifference, Table<'a>)> {
    let row = row.only(DIFFERENCE_KEYS)?;
    let (op, size) = published_case(&row, workload)?;
    let engine = row.require("engine")?.name()?;
    let baseline_value = row.require("baseline")?;
    let baseline = baseline_value.name()?;
    if engine == baseline {
        return Err(baseline_value.mistake(Problem::OwnBaseline {
            key: baseline_value.path(),
            value: baseline.to_owned(),
        }));
    }
    let difference = PublishedDifference {
        op,
        size,
        clock: row.require_words::<Clock>("clock")?.word()?,
        engine: engine.to_owned(),
        baseline: baseline.to_owned(),
        percent: row.require("percent")?.number("above -100", |number| number > -100.0)?,
        plus_minus_percent: row
            .require("plus-minus-percent")?
            .number("at least 0", |number| number >= 0.0)?,
        confidence_percent: row
            .require("confidence-percent")?
            .number("above 0 and below 100", |number| number > 0.0 && number < 100.0)?,
    };
    Ok((difference, row))
}

/// The operation and size of a row, which must be a case of the published workload: a figure that
/// nothing is ever printed beside is a slip of the pen.
fn published_case(row: &Table<'_>, workload: &Workload) -> Result<(Op, u64)> {
    let op_value = row.require_words::<Op>("op")?;
    let op = op_value.word()?;
    if !workload.op.contains(&op) {
        return Err(op_value.mistake(Problem::NoSuchCase {
            key: op_value.path(),
            value: op.to_string(),
            valid: workload.op.iter().map(Op::to_string).collect(),
        }));
    }
    let size_value = row.require("size")?;
    let size = size_value.size()?;
    if !workload.size.contains(&size) {
        return Err(size_value.mistake(Problem::NoSuchCase {
            key: size_value.path(),
            value: format_size(size),
            valid: workload.size.iter().copied().map(format_size).collect(),
        }));
    }
    Ok((op, size))
}

fn optional<'a, T>(
    table: &Table<'a>,
    key: &str,
    read: impl FnOnce(&Value<'a>) -> Result<T>,
) -> Result<Option<T>> {
    table.get(key).map(|value| read(&value)).transpose()
}

/// What a published row is about, in words; two rows of a kind must not be about the same.
trait About {
    fn about(&self) -> String;
}

impl About for PublishedFigure {
    fn about(&self) -> String {
        let size = format_size(self.size);
        format!("{} {size} of {} by {}", self.op, self.engine, self.clock)
    }
}

impl About for PublishedDifference {
    fn about(&self) -> String {
        let size = format_size(self.size);
        format!("{} {size} of {} against {} by {}", self.op, self.engine, self.baseline, self.clock)
    }
}
