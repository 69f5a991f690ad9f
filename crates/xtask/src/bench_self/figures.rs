//! Figures: the values of all tries, their quartiles, and the two ways in which they are printed.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::statistics::{median, quartiles};

/// A figure and its values, one a try.
pub(super) struct Figure {
    name: &'static str,
    unit: &'static str,
    goal: Goal,
    key: Key,
    pub(super) values: Vec<f64>,
}

/// What the project promises.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

/// Where a figure stands in the JSON object.
#[derive(Clone, Copy)]
pub(super) enum Key {
    /// At the top.
    Top(&'static str),
    /// In an object under the first name, by the second.
    Inner(&'static str, &'static str),
}

impl Figure {
    pub(super) fn new(name: &'static str, unit: &'static str, goal: Goal, key: Key) -> Self {
        Self { name, unit, goal, key, values: Vec::new() }
    }
}

impl Goal {
    fn is_met(self, value: f64) -> bool {
        match self {
            Goal::AtMost(most) => value <= most,
            Goal::AtLeast(least) => value >= least,
        }
    }

    fn shown(self, unit: &str) -> String {
        match self {
            Goal::AtMost(most) => format!("<= {}", shown(most, unit)),
            Goal::AtLeast(least) => format!(">= {}", shown(least, unit)),
        }
    }
}

/// For people: a row for each figure that was measured, with quartiles, the goal, and whether the
/// median reaches it.
pub(super) fn table(figures: &[Figure], clock: Option<&str>) -> String {
    let mut text = format!(
        "{:<24} {:>6} {:>10} {:>10} {:>10} {:>11}\n",
        "figure", "unit", "quartile", "median", "quartile", "goal"
    );
    for figure in figures {
        let Some(values) = quartiles(&figure.values) else { continue };
        // Bytes are shown in MiB here, and here only.
        let unit = if figure.unit == "bytes" { "MiB" } else { figure.unit };
        let at = |value| shown(value, figure.unit);
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "{:<24} {unit:>6} {:>10} {:>10} {:>10} {:>11}  {}",
            figure.name,
            at(values.lower),
            at(values.median),
            at(values.upper),
            figure.goal.shown(figure.unit),
            if figure.goal.is_met(values.median) { "reached" } else { "MISSED" },
        );
    }
    let tries = figures.iter().map(|figure| figure.values.len()).max().unwrap_or(0);
    let _ = writeln!(text, "{tries} tries, clock: {}", clock.unwrap_or("not measured"));
    text
}

fn shown(value: f64, unit: &str) -> String {
    match unit {
        "bytes" => format!("{:.1}", value / (1024.0 * 1024.0)),
        "x" => format!("{value:.3}"),
        _ => format!("{value:.2}"),
    }
}

/// For programs: the medians, whole numbers where they are bytes, null where there is none.
pub(super) fn object(figures: &[Figure], clock: Option<&str>) -> Value {
    let mut object = Map::new();
    for figure in figures {
        let median = median(&figure.values);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "memory is far smaller than 2^53 bytes"
        )]
        let whole = |value: f64| Value::from(value.round() as i64);
        let value = median.map_or(Value::Null, |value| match figure.unit {
            "bytes" => whole(value),
            _ => Value::from(value),
        });
        match figure.key {
            Key::Top(name) => object.insert(name.to_owned(), value),
            Key::Inner(name, inner) => {
                let within = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
                within.as_object_mut().and_then(|within| within.insert(inner.to_owned(), value))
            }
        };
    }
    object.insert("clock".to_owned(), clock.map_or(Value::Null, Value::from));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(unit: &'static str, goal: Goal, key: Key, values: &[f64]) -> Figure {
        Figure { values: values.to_owned(), ..Figure::new("a figure", unit, goal, key) }
    }

    #[test]
    fn the_table_says_whether_the_median_reaches_the_goal() {
        let values = [1.0, 2.0, 90.0];
        let key = Key::Top("k");
        let reached = table(&[figure("ns/op", Goal::AtMost(2.0), key, &values)], Some("tsc"));
        assert!(reached.contains("reached") && reached.contains("clock: tsc"), "{reached}");
        assert!(reached.contains("3 tries"), "{reached}");
        let missed = table(&[figure("ns/op", Goal::AtLeast(2.1), key, &values)], None);
        assert!(missed.contains("MISSED"), "{missed}");
        assert!(missed.lines().all(|line| line.len() <= 100), "{missed}");
    }

    #[test]
    fn what_was_not_measured_has_no_row() {
        let figures = [figure("x", Goal::AtMost(1.0), Key::Top("k"), &[])];
        assert!(!table(&figures, None).contains("a figure"));
    }

    #[test]
    fn the_object_groups_by_key_and_has_null_for_what_was_not_measured() {
        let at_most = Goal::AtMost(1.0);
        let figures = [
            figure("ns/op", at_most, Key::Top("floor"), &[1.5, 2.5]),
            figure("bytes", at_most, Key::Inner("rss", "filesystem"), &[10.0]),
            figure("bytes", at_most, Key::Inner("rss", "gridfs"), &[]),
        ];
        let expected = serde_json::json!({
            "floor": 2.0, "rss": {"filesystem": 10, "gridfs": null}, "clock": "tsc"
        });
        assert_eq!(object(&figures, Some("tsc")), expected);
    }
}
