//! What the program `ministat` prints, byte for byte, without the program.
//!
//! The benchmarks that Stowmark follows were compared by `ministat -c 99 -w 74`, and its report is
//! what their readers know. So a report can be made in its words, from the samples of a result
//! file, on machines that do not have it. It is shown for reference and decides nothing: it takes
//! every sample for independent, which the rounds of one execution are not.
//!
//! This is our own code, written from what the program (Debian's 20150715) was seen to print;
//! the tests compare the two byte for byte on hundreds of random files. What had to be found out:
//!
//! - Sums are plain double sums of `x` and `x²` in the order of the file; the variance is
//!   `(Σx² - Σx·Σx/n) / (n-1)`. Where all samples are equal, rounding can make that slightly
//!   negative, and the deviation is printed as `-nan`. So it is here.
//! - The median of an even number of samples is the upper one of the middle two.
//! - The constants of Student's t are a table, see `student.rs`; above 100 degrees of freedom it
//!   jumps to the normal distribution's, and its column for 99.5 % really holds 99.8 %.
//! - The plot is as high as the tallest stack of the **last** data set; what earlier ones have
//!   above that is lost. See `plot.rs`.
//! - Where the first average is 0, percentages come out as `inf%` and `-nan%`.
//!
//! Where the real program crashes or writes outside its plot, there is nothing to be equal to,
//! and [`render`] returns an error: samples that are not finite or whose sum is not, a plot
//! narrower than two columns, samples so close together (a few units in their last place) that
//! their average, by rounding, lies outside of their range, and ranges at the very ends of what
//! a double can hold.

mod number;
mod plot;
mod student;
mod summary;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use number::general;
use plot::Plot;
use summary::Summary;

/// The marks of the data sets, in their order. The program finds the mark of a cell that several
/// sets share by the bitwise or of their numbers (from 1 on), so index 0 is an empty cell.
const MARKS: &[u8; 8] = b" x+*%#@O";

/// The most data sets that one report can hold: there are no more marks.
pub const MOST_DATA_SETS: usize = MARKS.len() - 1;

/// The fewest samples that `ministat` accepts in a data set.
pub const FEWEST_SAMPLES: usize = 3;

/// The plot's width in columns that the published reports use, and the program's own default.
pub const USUAL_WIDTH: usize = 74;

/// The samples of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSet {
    /// What the header line shows: the file's name as it would stand on the command line.
    pub name: String,
    /// The samples, any unit, in the order of the file (the order of summing shows in last digits).
    pub samples: Vec<f64>,
}

/// The confidence levels that `ministat` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// 80 %
    P80,
    /// 90 %
    P90,
    /// 95 %, the program's default
    P95,
    /// 98 %
    P98,
    /// 99 %, as in the published reports
    P99,
    /// Called 99.5 % by the program; its constants are those of 99.8 %.
    P99_5,
}

impl Confidence {
    /// All levels, from the least to the most demanding.
    pub const ALL: [Self; 6] = [Self::P80, Self::P90, Self::P95, Self::P98, Self::P99, Self::P99_5];

    /// The level as the report writes it, in percent with one decimal.
    fn percent(self) -> &'static str {
        match self {
            Self::P80 => "80.0",
            Self::P90 => "90.0",
            Self::P95 => "95.0",
            Self::P98 => "98.0",
            Self::P99 => "99.0",
            Self::P99_5 => "99.5",
        }
    }
}

/// Why there is no report: each is a case in which the real program refuses too, or crashes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MinistatError {
    /// No data set was given.
    #[error("ministat needs at least one data set")]
    NoDataSets,
    /// More data sets than marks.
    #[error("ministat shows at most {MOST_DATA_SETS} data sets, not {count}: choose fewer engines")]
    TooManyDataSets {
        /// How many were given.
        count: usize,
    },
    /// Fewer samples than the program accepts.
    #[error(
        "ministat needs at least {FEWEST_SAMPLES} samples in each data set, and {name} has {count}: \
         run more rounds or executions"
    )]
    TooFewSamples {
        /// The data set's name.
        name: String,
        /// How many samples it has.
        count: usize,
    },
    /// A sample, or the sum of a data set, is infinite or not a number.
    #[error(
        "{name} has samples, or a sum of samples, that are not finite numbers: ministat cannot show them"
    )]
    NotFinite {
        /// The data set's name.
        name: String,
    },
    /// The plot cannot be scaled to so few columns.
    #[error("a ministat plot needs a width of at least 2 columns, not {width}")]
    TooNarrow {
        /// The width asked for, in columns.
        width: usize,
    },
    /// A point of the plot is outside of it, where the real program overwrites its own memory.
    #[error(
        "ministat cannot plot {name}: its samples are too close together, or the range of all data \
         sets is too large, for double precision"
    )]
    OffPlot {
        /// The data set's name.
        name: String,
    },
}

/// What `ministat -c <confidence> -w <width> FILE...` prints for files of these names and samples:
/// header, plot, the table, and each further set's difference from the first.
///
/// # Errors
///
/// Where the real program refuses the data or crashes on it; see [`MinistatError`].
pub fn render(
    data_sets: &[DataSet],
    confidence: Confidence,
    width: usize,
) -> Result<String, MinistatError> {
    if width < 2 {
        return Err(MinistatError::TooNarrow { width });
    }
    if data_sets.len() > MOST_DATA_SETS {
        return Err(MinistatError::TooManyDataSets { count: data_sets.len() });
    }
    let summaries = data_sets.iter().map(Summary::of).collect::<Result<Vec<_>, _>>()?;
    let (first, others) = summaries.split_first().ok_or(MinistatError::NoDataSets)?;

    let mut page = String::new();
    for (mark, data_set) in marks().zip(data_sets) {
        let _ = writeln!(page, "{mark} {}", data_set.name);
    }
    page += &Plot::draw(&summaries, width)?;
    page += "    N           Min           Max        Median           Avg        Stddev\n";
    page += &table_row('x', first);
    for (mark, other) in marks().skip(1).zip(others) {
        page += &table_row(mark, other);
        page += &difference(first, other, confidence);
    }
    Ok(page)
}

/// The marks of the data sets as characters, in order.
fn marks() -> impl Iterator<Item = char> {
    MARKS.iter().skip(1).copied().map(char::from)
}

/// One line of the table: mark, number of samples, and five figures of eight digits.
fn table_row(mark: char, summary: &Summary<'_>) -> String {
    let mut row = format!("{mark} {:>3}", summary.count());
    let figures =
        [summary.min(), summary.max(), summary.median(), summary.average, summary.deviation()];
    for figure in figures {
        let _ = write!(row, " {:>13}", general(figure, 8));
    }
    row.push('\n');
    row
}

/// Student's t with the pooled deviation: whether `other` differs from `first`, and by how much.
fn difference(first: &Summary<'_>, other: &Summary<'_>, confidence: Confidence) -> String {
    let level = confidence.percent();
    let (n_first, n_other) = (first.count() as f64, other.count() as f64);
    let degrees = first.count() + other.count() - 2;

    let squares = (n_first - 1.0) * first.variance + (n_other - 1.0) * other.variance;
    let pooled = (squares / degrees as f64).sqrt();
    let error =
        student::constant(degrees, confidence) * pooled * (1.0 / n_first + 1.0 / n_other).sqrt();
    let distance = other.average - first.average;

    if distance.abs() > error {
        format!(
            "Difference at {level}% confidence\n\t{} +/- {}\n\t{}% +/- {}%\n\t(Student's t, pooled s = {})\n",
            general(distance, 6),
            general(error, 6),
            general(distance * 100.0 / first.average, 6),
            general(error * 100.0 / first.average, 6),
            general(pooled, 6),
        )
    } else {
        // Also where the error is not a number (see the module's page), as in the program.
        format!("No difference proven at {level}% confidence\n")
    }
}
