//! The format `table`: what `run` prints, for reading in a terminal of 100 columns.
//!
//! A head says what ran where and what a flush costs there, and the answer in short. Then a block for each case: the
//! engines' figures, the verdicts in words, what to know about them. At the end what failed, and
//! the warnings with their remedies. Wording is in `words`; here is only layout.

use comfy_table::{ColumnConstraint, Table, Width, presets};
use stowmark_results::RunResult;

use crate::figures::CaseFigures;
use crate::words;

/// No line is longer, in characters.
const COLUMNS: usize = 100;

/// Every line of a case but its heading.
const INDENT: &str = "  ";

/// Between two columns of figures.
const GAP: usize = 2;

/// Longer labels continue on the next line. With the longest tier, figures and rates, the whole
/// row then still fits.
const LONGEST_LABEL: usize = 22;

/// The whole report.
pub(crate) fn render(result: &RunResult) -> String {
    let cases = CaseFigures::of_all(result);
    let widths = widths(&cases);
    let mut page = Page::default();

    head(&mut page, result);
    list(&mut page, "In short:", words::in_short(result));
    for case in &cases {
        page.blank();
        block(&mut page, result, case, &widths);
    }
    page.blank();
    if !cases.is_empty() {
        for note in words::reading_notes(result, &cases) {
            page.paragraph("", &note);
        }
    }
    list(&mut page, "Failed:", result.failures.iter().map(words::failure));
    list(&mut page, "Warnings:", words::warnings(result));
    page.finish()
}

fn head(page: &mut Page, result: &RunResult) {
    page.paragraph("", &words::title(&result.plan));
    if let Some(status) = words::status(&result.status) {
        page.paragraph("", &status);
    }
    page.paragraph("", &words::how(result));
    page.paragraph("", &words::machine(result));
    let storage = result.machine.storage.as_ref();
    if let Some(probe) = storage.and_then(|storage| storage.fsync_probe.as_ref()) {
        page.paragraph("", &words::fsync_probe(probe));
    }
    for engine in words::engines(result) {
        page.paragraph(INDENT, &engine);
    }
    page.paragraph("", words::published_note(&result.plan));
}

fn block(page: &mut Page, result: &RunResult, case: &CaseFigures<'_>, widths: &[usize]) {
    page.paragraph("", &words::case(case));
    for line in figure_lines(case, widths) {
        page.line(&line);
    }
    for sentence in words::evidence(&result.plan, case).into_iter().chain(words::wrong_data(case)) {
        page.paragraph(INDENT, &sentence);
    }
    for verdict in &case.case.verdicts {
        let subject = words::verdict_subject(verdict);
        page.paragraph(INDENT, &format!("{subject}: {}", words::verdict(verdict)));
    }
    let notes = words::disagreements(case.case, &result.warnings)
        .into_iter()
        .chain(words::published(&result.plan, case.case))
        .chain(words::first_bytes(case))
        .chain(words::service_times(case));
    for note in notes {
        page.paragraph(INDENT, &note);
    }
}

/// The figures of one case, each column as wide as it must be in any case.
fn figure_lines(case: &CaseFigures<'_>, widths: &[usize]) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(shown(words::FIGURE_HEADS.map(str::to_owned), widths));
    for engine in &case.engines {
        table.add_row(shown(words::figures(engine), widths));
    }
    let mut kept = widths.iter().filter(|width| **width > 0);
    for column in table.column_iter_mut() {
        let width = kept.next().copied().unwrap_or(1) + GAP;
        column.set_padding((0, GAP as u16));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width as u16)));
    }
    table.lines().map(|line| format!("{INDENT}{line}").trim_end().to_owned()).collect()
}

/// The cells of the columns that are shown at all.
fn shown<const N: usize>(cells: [String; N], widths: &[usize]) -> Vec<String> {
    cells.into_iter().zip(widths).filter(|(_, width)| **width > 0).map(|(cell, _)| cell).collect()
}

/// The width of each column over all cases; 0 for one that is empty throughout.
fn widths(cases: &[CaseFigures<'_>]) -> Vec<usize> {
    let rows: Vec<_> = cases.iter().flat_map(|case| &case.engines).map(words::figures).collect();
    let columns = words::FIGURE_HEADS.iter().enumerate().map(|(column, head)| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        match (cells.max().unwrap_or(0), column) {
            (0, _) => 0,
            (widest, 0) => widest.clamp(head.len(), LONGEST_LABEL),
            (widest, _) => widest.max(head.len()),
        }
    });
    columns.collect()
}

fn list(page: &mut Page, heading: &str, items: impl IntoIterator<Item = String>) {
    let mut items = items.into_iter().peekable();
    if items.peek().is_some() {
        page.blank();
        page.line(heading);
    }
    for item in items {
        page.paragraph("- ", &item);
    }
}

/// Lines of at most [`COLUMNS`] characters, without control characters.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    /// One line as it is. A plugin's message may hold escape codes: they become question marks.
    fn line(&mut self, line: &str) {
        self.text.extend(line.chars().map(|c| if c.is_control() { '?' } else { c }));
        self.text.push('\n');
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Words one after the other, the first line after `start`, the others indented by as much
    /// and two more. Nothing at all if there are no words.
    fn paragraph(&mut self, start: &str, words: &str) {
        let hanging = " ".repeat(start.chars().count() + 2);
        let mut line = start.to_owned();
        let mut is_empty = true;
        for word in words.split_whitespace().flat_map(|word| pieces(word, COLUMNS - hanging.len()))
        {
            if !is_empty && line.chars().count() + 1 + word.chars().count() > COLUMNS {
                self.line(&line);
                line.clone_from(&hanging);
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line += &word;
            is_empty = false;
        }
        if !is_empty {
            self.line(&line);
        }
    }

    fn finish(self) -> String {
        self.text.trim_end().to_owned() + "\n"
    }
}

/// A word cut into pieces of at most `longest` characters: paths have no spaces.
fn pieces(word: &str, longest: usize) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    letters.chunks(longest).map(|piece| piece.iter().collect()).collect()
}
