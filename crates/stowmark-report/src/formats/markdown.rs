//! The format `markdown`: one table and the notes below it, for pasting into a page.
//!
//! It says what the table says, in the same words: every row carries its tier, every verdict its
//! interval, and the warnings come along, so that what is pasted stays honest.

use stowmark_results::{RunResult, VerdictRecord};

use crate::figures::{CaseFigures, EngineFigures};
use crate::words;

/// The clocks that have a column of verdicts, and its head.
const VERDICT_COLUMNS: [(&[&str], &str); 2] =
    [(&["wall"], "verdict, wall"), (&["cpu", "cpu-client"], "verdict, CPU")];

/// The whole report.
pub(crate) fn render(result: &RunResult) -> String {
    let cases = CaseFigures::of_all(result);
    let mut page = format!("### {}\n", escaped(&words::title(&result.plan)));
    paragraph(&mut page, &words::status(&result.status).unwrap_or_default());
    paragraph(&mut page, &head(result));
    paragraph(&mut page, words::published_note(&result.plan));
    list(&mut page, "In short", words::in_short(result));
    if !cases.is_empty() {
        table(&mut page, result, &cases);
        for note in words::reading_notes(result, &cases) {
            paragraph(&mut page, &note);
        }
    }
    list(&mut page, "Engines", words::engines(result));
    list(&mut page, "Notes", cases.iter().flat_map(|case| notes(result, case)));
    list(&mut page, "Failed", result.failures.iter().map(words::failure));
    list(&mut page, "Warnings", words::warnings(result));
    page
}

fn head(result: &RunResult) -> String {
    let storage = result.machine.storage.as_ref();
    let probe = storage.and_then(|storage| storage.fsync_probe.as_ref()).map(words::fsync_probe);
    let parts = [words::how(result), words::machine(result), probe.unwrap_or_default()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
}

/// A row for each engine of each case; a column that no case fills is left out.
fn table(page: &mut String, result: &RunResult, cases: &[CaseFigures<'_>]) {
    let mut heads = vec!["case"];
    heads.extend(words::FIGURE_HEADS);
    heads.extend(VERDICT_COLUMNS.map(|(_, head)| head));
    let baseline = result.plan.baseline.as_deref();
    let rows: Vec<Vec<String>> = cases
        .iter()
        .flat_map(|case| case.engines.iter().map(move |engine| cells(case, engine, baseline)))
        .collect();
    let filled: Vec<usize> =
        (0..heads.len()).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();

    page.push('\n');
    row(page, filled.iter().map(|column| heads[*column].to_owned()));
    row(page, filled.iter().map(|_| "---".to_owned()));
    for cells in &rows {
        row(page, filled.iter().map(|column| escaped(&cells[*column])));
    }
}

fn cells(
    case: &CaseFigures<'_>,
    engine: &EngineFigures<'_>,
    baseline: Option<&str>,
) -> Vec<String> {
    let mut cells = vec![words::case_name(case.case)];
    cells.extend(words::figures(engine));
    cells.extend(VERDICT_COLUMNS.map(|(clocks, _)| verdicts(case, engine, clocks, baseline)));
    cells
}

/// The verdicts on the engine by these clocks. The baseline has none, and says so where others do.
fn verdicts(
    case: &CaseFigures<'_>,
    engine: &EngineFigures<'_>,
    clocks: &[&str],
    baseline: Option<&str>,
) -> String {
    let label = engine.measured.label.as_str();
    let on_clocks = |verdict: &&VerdictRecord| clocks.contains(&verdict.clock.as_str());
    if baseline == Some(label) && case.case.verdicts.iter().any(|verdict| on_clocks(&verdict)) {
        return words::BASELINE.to_owned();
    }
    let sentence = |verdict: &VerdictRecord| match verdict.clock.as_str() {
        "cpu-client" => format!("{}: {}", words::clock("cpu-client"), words::verdict(verdict)),
        _ => words::verdict(verdict),
    };
    let about = case.case.verdicts.iter().filter(on_clocks);
    let sentences: Vec<String> =
        about.filter(|verdict| verdict.engine == label).map(sentence).collect();
    sentences.join("; ")
}

/// What stands below a case in the table.
fn notes(result: &RunResult, case: &CaseFigures<'_>) -> Vec<String> {
    words::evidence(&result.plan, case)
        .into_iter()
        .chain(words::wrong_data(case))
        .chain(words::disagreements(case.case, &result.warnings))
        .chain(words::published(&result.plan, case.case))
        .chain(words::first_bytes(case))
        .chain(words::service_times(case))
        .map(|note| format!("{}: {note}", words::case_name(case.case)))
        .collect()
}

fn row(page: &mut String, cells: impl Iterator<Item = String>) {
    for cell in cells {
        page.push_str("| ");
        page.push_str(&cell);
        page.push(' ');
    }
    page.push_str("|\n");
}

fn paragraph(page: &mut String, text: &str) {
    if !text.is_empty() {
        page.push_str(&format!("\n{}\n", escaped(text)));
    }
}

fn list(page: &mut String, heading: &str, items: impl IntoIterator<Item = String>) {
    let mut items = items.into_iter().peekable();
    if items.peek().is_some() {
        page.push_str(&format!("\n**{heading}**\n\n"));
    }
    for item in items {
        page.push_str(&format!("- {}\n", escaped(&item)));
    }
}

/// Text in which nothing is markup: what engines and users named is shown as they named it.
/// Line ends and other control characters become spaces, as a row of a table is one line.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '|' | '*' | '_' | '`' | '~' | '<' | '>' | '[' | ']' | '#' | '&' => {
                plain.extend(['\\', letter])
            }
            letter if letter.is_control() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}
