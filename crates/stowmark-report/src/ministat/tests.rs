//! The report against the real `ministat`: same files, same bytes.

use std::cell::Cell;
use std::path::Path;
use std::process::{Command, Output};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::*;
use crate::raw::raw_text;

/// Runs the real program on files that hold the data sets, in a folder of their own.
fn real(data_sets: &[DataSet], confidence: Confidence, width: usize) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for data_set in data_sets {
        std::fs::write(folder.path().join(&data_set.name), raw_text(&data_set.samples)).unwrap();
    }
    let level = confidence.percent().trim_end_matches(".0");
    run_ministat(folder.path(), level, width, data_sets.iter().map(|set| set.name.as_str()))
}

fn run_ministat<'a>(
    folder: &Path,
    level: &str,
    width: usize,
    names: impl Iterator<Item = &'a str>,
) -> Output {
    let mut command = Command::new("ministat");
    command.current_dir(folder).env("LC_ALL", "C");
    command.args(["-c", level, "-w", &width.to_string()]).args(names);
    command.output().unwrap_or_else(|error| {
        panic!(
            "cannot run the program `ministat` ({error}), which these tests compare with: \
             run the tests by `cargo xtask test`, which installs it"
        )
    })
}

fn named(samples: &[Vec<f64>]) -> Vec<DataSet> {
    let sets = samples.iter().enumerate();
    sets.map(|(i, samples)| DataSet { name: format!("set-{i}.txt"), samples: samples.clone() })
        .collect()
}

/// Asserts that ours and the real report are the same, and returns it.
fn check(samples: &[Vec<f64>], confidence: Confidence, width: usize) -> String {
    let data_sets = named(samples);
    let ours = render(&data_sets, confidence, width).unwrap();
    let output = real(&data_sets, confidence, width);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(ours, String::from_utf8(output.stdout).unwrap(), "{samples:?}");
    ours
}

/// `count` numbers from `first` on, `step` apart.
fn ladder(first: f64, step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| first + step * i as f64).collect()
}

/// Samples of many shapes: even, skewed, of few distinct values, equal, whole and half numbers
/// (ties when rounding), and far from zero with hardly any spread.
fn samples(most: usize) -> impl Strategy<Value = Vec<f64>> {
    let count = prop_oneof![
        3 => 3..=6_usize,
        4 => 7..=40_usize,
        1 => 90..=130_usize,
        1 => Just(1000_usize)
    ];
    (count, -10.0..10.0_f64, 0.0..4.0_f64, 0..6_u8).prop_flat_map(
        move |(count, base, spread, shape)| {
            let count = count.min(most);
            vec(0.0..1.0_f64, count..=count).prop_map(move |units| {
                let value = |unit: &f64| match shape {
                    0 => base + spread * unit,
                    1 => (base / 4.0 + spread * unit).exp(),
                    2 => base + spread * (unit * 3.0).floor(),
                    3 => base,
                    4 => (unit * 200_000.0).floor() / 2.0,
                    _ => base.abs() + 1.0 + 1e-9 * unit,
                };
                units.iter().map(value).collect()
            })
        },
    )
}

#[test]
fn the_report_is_the_real_programs_to_the_byte_on_random_data_sets() {
    let sets = prop_oneof![
        vec(samples(1000), 1..=2),
        vec(samples(200), 3..=7),
        // The same samples with a small shift: what a comparison of two engines looks like.
        (samples(60), 0.5..1.5_f64).prop_map(|(samples, factor)| {
            let shifted = samples.iter().map(|sample| sample * factor).collect();
            vec![samples, shifted]
        }),
    ];
    let scale =
        prop_oneof![Just(1.0), Just(1e-9), Just(1e12), (-9..9).prop_map(|e| 10_f64.powi(e))];
    let width = prop_oneof![3 => Just(USUAL_WIDTH), 1 => 2..=130_usize];
    let level = proptest::sample::select(&Confidence::ALL[..]);

    let cases = 600;
    let unplottable = Cell::new(0);
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(20_150_715),
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&(sets, scale, width, level), |case| {
        let (sets, scale, width, level) = case;
        let scaled = |set: &Vec<f64>| set.iter().map(|sample| sample * scale).collect();
        let data_sets = named(&sets.iter().map(scaled).collect::<Vec<_>>());
        let ours = match render(&data_sets, level, width) {
            Ok(ours) => ours,
            // Here the program writes outside of its plot: there is nothing to be equal to.
            Err(MinistatError::OffPlot { .. }) => {
                unplottable.set(unplottable.get() + 1);
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let output = real(&data_sets, level, width);
        prop_assert!(output.status.success(), "{:?}", output);
        prop_assert_eq!(ours, String::from_utf8_lossy(&output.stdout).into_owned());
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(unplottable.get() < cases / 50, "{} cases could not be compared", unplottable.get());
}

#[test]
fn every_constant_of_students_t_is_the_programs() {
    for confidence in Confidence::ALL {
        // To 102 degrees, past the end of the table.
        for degrees in 4..=102 {
            let sets = [vec![0.0, 1.0, 2.0], ladder(1000.0, 0.03, degrees - 1)];
            assert!(check(&sets, confidence, 10).contains("Difference at"));
        }
    }
}

#[test]
fn equal_samples_have_no_plot_and_no_difference() {
    let report = check(&[vec![5.0; 3], vec![5.0; 8]], Confidence::P99, USUAL_WIDTH);
    assert!(report.contains("[no plot, span is zero width]\n"));
    assert!(report.contains("No difference proven at 99.0% confidence\n"));
}

#[test]
fn sets_without_spread_differ_with_no_error() {
    let report = check(&[vec![4.0; 3], vec![6.0; 4]], Confidence::P99_5, USUAL_WIDTH);
    assert!(report.contains("\t50% +/- 0%\n\t(Student's t, pooled s = 0)\n"), "{report}");
}

#[test]
fn rounding_can_make_a_deviation_of_equal_samples_not_a_number() {
    let report = check(&[vec![1e-6 * 1.1; 30], ladder(1.0, 1.0, 5)], Confidence::P99, USUAL_WIDTH);
    let deviation = Summary::of(&named(&[vec![1e-6 * 1.1; 30]])[0]).unwrap().deviation();
    assert_eq!(report.contains("-nan\n"), deviation.is_nan(), "{report}");
}

#[test]
fn percentages_of_an_average_of_zero_are_infinite_or_undefined() {
    let to_one = check(&[vec![0.0; 3], vec![1.0; 3]], Confidence::P95, USUAL_WIDTH);
    assert!(to_one.contains("inf% +/- -nan%"), "{to_one}");
    let below = check(&[vec![0.0; 3], vec![-9.0, -9.1, -9.0]], Confidence::P95, USUAL_WIDTH);
    assert!(below.contains("-inf% +/- inf%"), "{below}");
    check(&[vec![-0.0, 0.0, 0.0, -0.0], ladder(-2.0, 1.0, 5)], Confidence::P80, USUAL_WIDTH);
}

#[test]
fn very_small_and_very_large_samples_are_written_alike() {
    let sets = [
        vec![1e-9, 2e-9, 3.5e-9, 2e-9],
        vec![9.999_999_95e-5, 1e-4, 1.000_000_5e-4],
        vec![123_456_785.0, 99_999_999.5, 1e8, 1e15],
        vec![1e100, 1e150, 3e140],
    ];
    for set in &sets {
        check(std::slice::from_ref(set), Confidence::P99, USUAL_WIDTH);
    }
    check(&sets, Confidence::P99, USUAL_WIDTH);
    // Squares that overflow leave the deviation undefined.
    let report = check(&[vec![1e300, 2e300, 1e301]], Confidence::P99, USUAL_WIDTH);
    assert!(report.contains("-nan\n"), "{report}");
    // Past 1e102 the axis no longer starts at the least value.
    check(&[vec![5e120, 6e120, 7e120]], Confidence::P99, USUAL_WIDTH);
    check(&[vec![-5e101, -6e101, -7e101], vec![-9e120; 3]], Confidence::P99, USUAL_WIDTH);
}

#[test]
fn stacks_higher_than_those_of_the_last_set_are_cut() {
    let high = vec![1.0, 1.0, 1.0, 1.0, 9.0];
    let low = vec![1.0, 5.0, 9.0];
    let middle = vec![5.0, 5.0, 9.0];
    let rows = |report: &str| report.lines().filter(|line| line.starts_with('|')).count() - 1;
    assert_eq!(rows(&check(&[low.clone(), high.clone()], Confidence::P99, 30)), 4);
    assert_eq!(rows(&check(&[high.clone(), low.clone()], Confidence::P99, 30)), 1);
    // What the second set cut off does not come back with the third.
    let report = check(&[high, low, middle], Confidence::P99, 30);
    assert_eq!(rows(&report), 2);
    assert!(!report.lines().any(|line| line.starts_with("|x")), "{report}");
}

#[test]
fn seven_sets_have_marks_and_an_eighth_is_refused_by_both() {
    let sets: Vec<Vec<f64>> = (0..8).map(|i| ladder(f64::from(i), 0.7, 4)).collect();
    let report = check(&sets[..7], Confidence::P99, USUAL_WIDTH);
    assert!(report.contains("\nO set-6.txt\n"), "{report}");

    let eight = named(&sets);
    let refusal = render(&eight, Confidence::P99, USUAL_WIDTH).unwrap_err();
    assert_eq!(refusal, MinistatError::TooManyDataSets { count: 8 });
    assert!(!real(&eight, Confidence::P99, USUAL_WIDTH).status.success());
}

#[test]
fn fewer_than_three_samples_are_refused_by_both_and_the_set_is_named() {
    let sets = named(&[ladder(1.0, 1.0, 3), vec![1.0, 2.0]]);
    let refusal = render(&sets, Confidence::P99, USUAL_WIDTH).unwrap_err();
    assert_eq!(refusal, MinistatError::TooFewSamples { name: "set-1.txt".into(), count: 2 });
    assert!(refusal.to_string().contains("set-1.txt has 2"), "{refusal}");

    let output = real(&sets, Confidence::P99, USUAL_WIDTH);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("set-1.txt must contain at least 3"));
}

#[test]
fn what_crashes_the_program_is_an_error_here() {
    let refuse = |samples: Vec<f64>| render(&named(&[samples]), Confidence::P99, 30).unwrap_err();
    assert!(matches!(refuse(vec![1e308, 1.5e308, 1.7e308]), MinistatError::NotFinite { .. }));
    assert!(matches!(refuse(vec![1.0, f64::INFINITY, 2.0]), MinistatError::NotFinite { .. }));
    assert!(matches!(refuse(vec![f64::NAN, 1.0, 2.0]), MinistatError::NotFinite { .. }));
    assert!(matches!(refuse(vec![5e-324, 1e-323, 2e-323]), MinistatError::OffPlot { .. }));
    let close = [vec![0.1 + 0.2; 101], vec![0.3; 3]].concat();
    assert!(matches!(refuse(close), MinistatError::OffPlot { .. }));
    assert_eq!(render(&[], Confidence::P99, 30), Err(MinistatError::NoDataSets));
    let narrow = render(&named(&[ladder(1.0, 1.0, 3)]), Confidence::P99, 1);
    assert_eq!(narrow, Err(MinistatError::TooNarrow { width: 1 }));
}
