//! The formats that people read.

use stowmark_report::{Format, Options, render};
use stowmark_results::RunResult;

use crate::fixture::{as_published, broken, ordinary, unequal_promises};

fn text(result: &RunResult, format: Format) -> String {
    String::from_utf8(render(result, format, Options::default()).unwrap()).unwrap()
}

#[test]
fn the_table_shows_figures_tiers_and_verdicts_on_both_clocks() {
    insta::assert_snapshot!("table-ordinary", text(&ordinary(), Format::Table));
}

#[test]
fn the_table_of_a_published_suite_has_the_published_figures_beside() {
    insta::assert_snapshot!("table-published", text(&as_published(), Format::Table));

    let mut otherwise = as_published();
    otherwise.plan.published = false;
    assert!(!text(&otherwise, Format::Table).contains("gridfs"));
}

#[test]
fn the_table_names_no_winner_between_different_promises() {
    let table = text(&unequal_promises(), Format::Table);
    assert!(!table.contains("faster") && !table.contains("slower"), "{table}");
    insta::assert_snapshot!("table-unequal-promises", table);
}

#[test]
fn the_table_of_a_broken_run_shows_what_there_is_and_what_failed() {
    insta::assert_snapshot!("table-broken", text(&broken(), Format::Table));
}

#[test]
fn markdown_says_the_same() {
    insta::assert_snapshot!("markdown-ordinary", text(&ordinary(), Format::Markdown));
    insta::assert_snapshot!("markdown-published", text(&as_published(), Format::Markdown));
    insta::assert_snapshot!("markdown-broken", text(&broken(), Format::Markdown));
}

#[test]
fn the_table_fits_a_hundred_columns_whatever_the_labels_are() {
    for result in [ordinary(), as_published(), unequal_promises(), broken()] {
        let table = text(&result, Format::Table);
        for line in table.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn nothing_for_people_holds_a_control_character() {
    for result in [ordinary(), as_published(), unequal_promises(), broken()] {
        for format in [Format::Table, Format::Markdown] {
            let text = text(&result, format);
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text}");
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
        }
    }
}

#[test]
fn every_row_of_a_markdown_table_has_the_same_number_of_cells() {
    let text = text(&broken(), Format::Markdown);
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<usize> = text.lines().filter(|line| line.starts_with('|')).map(cells).collect();
    assert!(rows.len() > 3 && rows.iter().all(|count| *count == rows[0]), "{text}");
}

#[test]
fn an_empty_result_is_still_a_report() {
    for format in [Format::Table, Format::Markdown, Format::Csv, Format::Json] {
        assert!(!text(&RunResult::default(), format).trim().is_empty());
    }
}

#[test]
fn every_verdict_with_a_ratio_shows_it_whatever_the_outcome() {
    let mut result = ordinary();
    let verdict = &mut result.cases[1].verdicts[0];
    (verdict.ratio, verdict.ratio_low, verdict.ratio_high) = (Some(0.81), Some(0.52), Some(1.27));
    verdict.executions_to_settle = Some(212);
    for (format, ratio) in [
        (Format::Table, "wall: takes 0.81x the time (0.52x to 1.27x): no difference shown"),
        (Format::Markdown, "takes 0.81x the time (0.52x to 1.27x): no difference shown"),
    ] {
        let text = text(&result, format);
        assert!(text.contains(ratio) && text.contains("not worth settling"), "{text}");
    }
}

#[test]
fn a_second_setting_of_an_engine_says_only_in_what_it_differs() {
    let mut result = ordinary();
    let options = |cache: &str| {
        [("cache", cache), ("chunk", "524288")].map(|(k, v)| (k.to_owned(), v.to_owned())).into()
    };
    result.engines[0].options = options("1073741824");
    let mut big = result.engines[0].clone();
    (big.label, big.options) = ("big".into(), options("268435456"));
    result.engines.insert(1, big);
    let table = text(&result, Format::Table);
    assert!(
        table.contains("\n  redb 4.6.0, media (Durability::Immediate), cache=1G, chunk=512k\n")
    );
    assert!(table.contains("\n  big = redb 4.6.0, cache=256M, all else as redb\n"), "{table}");
}

#[test]
fn a_case_that_was_measured_in_part_says_how_much_it_rests_on() {
    let mut result = ordinary();
    for engine in &mut result.cases[0].engines {
        engine.rounds.truncate(9);
    }
    result.cases[1].engines[1].rounds.truncate(6);
    let table = text(&result, Format::Table);
    let all = "\n  not all was measured (2 of 5 executions, 9 of 30 rounds)\n";
    let one = "\n  not all was measured: filesystem (1 of 5 executions, 6 of 30 rounds)\n";
    assert!(table.contains(all) && table.contains(one), "{table}");
    assert_eq!(table.matches("not all was measured").count(), 2, "{table}");
}
