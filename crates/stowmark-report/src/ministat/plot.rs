//! The plot: one column a range of values, a stack of marks for each data set, and one line with
//! the bars of average, median and deviation.
//!
//! The axis reaches from the least to the greatest of all samples and of all `average ± deviation`,
//! whose ends are the middles of the first and the last column. Each set's marks are stacked from
//! below in its own right; a cell that two sets share shows a third mark (see `MARKS`).
//!
//! The height is each set's own in turn, so that of the last set stays: rows above it are cut off,
//! and what a cut removed does not come back when a later set is higher again. All sets share one
//! line of bars. A bar fills only what is empty, but its ends, then its median `M`, then its
//! average `A` overwrite what is there.

use super::summary::Summary;
use super::{MARKS, MinistatError};

/// The drawing, from the bottom row up.
pub(super) struct Plot {
    width: usize,
    /// The value at the left edge of the first column.
    left: f64,
    /// How much of the axis a column covers.
    step: f64,
    /// For each cell the bitwise or of the numbers of the sets that have a mark there.
    rows: Vec<Vec<u8>>,
    bars: Vec<u8>,
}

impl Plot {
    /// The plot of all sets as text with its frame, or the line that stands in its place where
    /// all values are equal.
    pub(super) fn draw(summaries: &[Summary<'_>], width: usize) -> Result<String, MinistatError> {
        let (low, high) = axis(summaries);
        if high - low <= 0.0 {
            return Ok("[no plot, span is zero width]\n".to_owned());
        }
        let step = (high - low) / (width as f64 - 1.0);
        let left = low - 0.5 * step;
        let mut plot = Self { width, left, step, rows: Vec::new(), bars: vec![b' '; width] };
        for (number, summary) in (1..).zip(summaries) {
            let drawn = plot.stack(number, summary).and_then(|()| plot.bar(summary));
            drawn.ok_or_else(|| MinistatError::OffPlot { name: summary.name.to_owned() })?;
        }
        Ok(plot.into_text())
    }

    /// Stacks the marks of the set with this number; `None` if one is outside of the plot.
    fn stack(&mut self, number: u8, summary: &Summary<'_>) -> Option<()> {
        let mut levels = Vec::with_capacity(summary.count());
        let mut height = 0;
        for &sample in summary.sorted() {
            let column = self.column(sample)?;
            let level = match levels.last() {
                Some(&(last, level)) if last == column => level + 1,
                _ => 0,
            };
            levels.push((column, level));
            height = height.max(level + 1);
        }
        self.rows.resize(height, vec![0; self.width]);
        for (column, level) in levels {
            *self.rows.get_mut(level)?.get_mut(column)? |= number;
        }
        Some(())
    }

    /// Draws the set's deviation, median and average into the line of bars.
    fn bar(&mut self, summary: &Summary<'_>) -> Option<()> {
        let deviation = summary.deviation();
        if !deviation.is_nan() {
            let from = self.column(summary.average - deviation)?;
            let to = self.column(summary.average + deviation)?;
            for cell in self.bars.get_mut(from..=to)?.iter_mut().filter(|cell| **cell == b' ') {
                *cell = b'_';
            }
            *self.bars.get_mut(from)? = b'|';
            *self.bars.get_mut(to)? = b'|';
        }
        let (median, average) = (self.column(summary.median())?, self.column(summary.average)?);
        *self.bars.get_mut(median)? = b'M';
        *self.bars.get_mut(average)? = b'A';
        Some(())
    }

    /// The column that shows `value`, if there is one.
    fn column(&self, value: f64) -> Option<usize> {
        let column = ((value - self.left) / self.step).floor();
        (column >= 0.0 && column < self.width as f64).then_some(column as usize)
    }

    /// The finished drawing, rows from the top down, in its frame.
    fn into_text(self) -> String {
        let frame = format!("+{}+\n", "-".repeat(self.width));
        let mut text = frame.clone();
        for row in self.rows.iter().rev() {
            let marks = row.iter().map(|&sets| char::from(MARKS[usize::from(sets) % MARKS.len()]));
            text.push('|');
            text.extend(marks);
            text.push_str("|\n");
        }
        text.push('|');
        text.extend(self.bars.into_iter().map(char::from));
        text.push_str("|\n");
        text + &frame
    }
}

/// Where the program's search for the least value starts; it seems to stand for infinity there, so
/// the axis of data beyond it is longer than it need be.
const FARTHEST: f64 = 999e99;

/// The least and the greatest value to be shown. Comparisons pass over a deviation that is not a
/// number.
fn axis(summaries: &[Summary<'_>]) -> (f64, f64) {
    let mut ends = (FARTHEST, -FARTHEST);
    for summary in summaries {
        let deviation = summary.deviation();
        let shown = [
            summary.min(),
            summary.max(),
            summary.average - deviation,
            summary.average + deviation,
        ];
        for value in shown {
            ends = (ends.0.min(value), ends.1.max(value));
        }
    }
    ends
}
