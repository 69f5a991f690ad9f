//! Lines that fit: what manifests and suites say is of any length, and a terminal breaks mid-word.

/// The widest line, where a terminal is wider or nobody knows how wide it is.
const WIDEST: usize = 100;
/// The narrowest for which lines are broken; below, the terminal may do as it likes.
const NARROWEST: usize = 40;

/// Breaks the text for standard output between words; what does not fit goes on under this indent.
pub(crate) fn fit(text: &str, indent: usize) -> String {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    let width = terminal.map_or(WIDEST, |(width, _)| usize::from(width.0));
    wrap(text, indent, width.clamp(NARROWEST, WIDEST))
}

/// A word wider than the line stays whole: a path that is broken cannot be copied.
fn wrap(text: &str, indent: usize, width: usize) -> String {
    let mut wrapped = String::new();
    let mut column = 0;
    for (at, word) in text.split(' ').enumerate() {
        let letters = word.chars().count();
        if at > 0 && column > indent && column + 1 + letters > width {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if at > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += letters;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_go_on_under_the_indent() {
        assert_eq!(wrap("  key  one two three", 4, 12), "  key  one\n    two\n    three");
        assert_eq!(wrap("  key  one", 4, 10), "  key  one", "what fits is left alone");
    }

    #[test]
    fn a_word_that_is_too_long_stays_whole() {
        assert_eq!(wrap("abc /very/long/path b", 2, 8), "abc\n  /very/long/path\n  b");
    }
}
