//! Text in columns: how wide it is, where it breaks, where it is cut. Clusters are never parted.

use askgate::text::{Mode, display_safe};
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A tab goes on to the next multiple of it.
const TAB: usize = 4;

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text within so many columns, ending in `…` if it was cut.
pub(crate) fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let Some(room) = columns.checked_sub(1) else { return Cow::Borrowed("") };
    let mut out = String::new();
    let mut used = 0;
    for cluster in text.graphemes(true) {
        used += width(cluster);
        if used > room {
            break;
        }
        out.push_str(cluster);
    }
    out.push('…');
    Cow::Owned(out)
}

/// Running text in lines of so many columns, broken at spaces where that is possible.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let options = textwrap::Options::new(columns)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let paragraphs = text.split('\n').map(untabbed);
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        for line in textwrap::wrap(&paragraph, &options) {
            lines.extend(chop(&line, columns));
        }
    }
    lines
}

/// One line in pieces of so many columns, with every space kept.
pub(crate) fn chop(line: &str, columns: usize) -> Vec<String> {
    let line = untabbed(line);
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for cluster in line.graphemes(true) {
        let wide = width(cluster);
        if used + wide > columns && used > 0 {
            pieces.push(String::new());
            used = 0;
        }
        used += wide;
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(cluster);
        }
    }
    pieces
}

fn untabbed(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::new();
    for (index, part) in line.split('\t').enumerate() {
        if index > 0 {
            out.push_str(&" ".repeat(TAB - width(&out) % TAB));
        }
        out.push_str(part);
    }
    Cow::Owned(out)
}

/// The line within the columns, ending in `…` if it was cut.
pub(crate) fn ellipsis_if(line: Line<'static>, columns: usize) -> Line<'static> {
    if line.width() <= columns { line } else { cut_line(line, columns) }
}

/// The line with `…` at its end, within the columns.
pub(crate) fn ellipsis(mut line: Line<'static>, columns: usize) -> Line<'static> {
    line.push_span(Span::raw("…"));
    ellipsis_if(line, columns)
}

fn cut_line(line: Line<'static>, columns: usize) -> Line<'static> {
    let mut out = Line::default().style(line.style);
    let mut used = 0;
    for span in line.spans {
        let wide = width(&span.content);
        if used + wide >= columns {
            out.push_span(Span::styled(
                cut(&format!("{}…", span.content), columns - used).into_owned(),
                span.style,
            ));
            break;
        }
        used += wide;
        out.push_span(span);
    }
    out
}

/// A text field: what is in it, in rows, and where its cursor stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) rows: Vec<String>,
    /// Row and column.
    pub(crate) cursor: (usize, usize),
}

/// Lays a draft out in so many columns. It is the draft as it is, so it is made safe here, cluster by cluster, for the
/// cursor to stay where it belongs.
pub(crate) fn field(draft: &str, cursor: usize, columns: usize) -> Field {
    let mut rows = vec![String::new()];
    let mut used = 0;
    let mut at = (0, 0);
    for (index, cluster) in draft.graphemes(true).enumerate() {
        if index == cursor {
            at = (rows.len() - 1, used);
        }
        if cluster == "\n" {
            rows.push(String::new());
            used = 0;
            continue;
        }
        let shown = match cluster {
            "\t" => Cow::Owned(" ".repeat(TAB - used % TAB)),
            _ => display_safe(cluster, Mode::Body).text,
        };
        // An escape is longer than what it stands for, and may be wider than the field.
        for piece in chop(&shown, columns) {
            let wide = width(&piece);
            if used + wide > columns && used > 0 {
                rows.push(String::new());
                used = 0;
                if index == cursor {
                    at = (rows.len() - 1, 0);
                }
            }
            used += wide;
            if let Some(row) = rows.last_mut() {
                row.push_str(&piece);
            }
        }
    }
    if draft.graphemes(true).count() <= cursor {
        at = (rows.len() - 1, used);
    }
    Field { rows, cursor: at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_clusters_and_columns() {
        assert_eq!(cut("héllo", 5), "héllo");
        assert_eq!(cut("héllo!", 5), "héll…");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("👨‍👩‍👧x y", 3), "👨‍👩‍👧…");
        assert_eq!(cut("ab", 1), "…");
        assert_eq!(cut("ab", 0), "");
    }

    #[test]
    fn a_wrap_fits_whatever_is_in_it() {
        for text in [
            "one two three four",
            "日本語の文章はここで折り返す",
            "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧",
            "averyveryverylongword",
            "a\tb\n\n  c",
        ] {
            for columns in 2..20 {
                let lines = wrap(text, columns);
                assert!(lines.iter().all(|line| width(line) <= columns.max(2)), "{columns}: {lines:?}");
            }
        }
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a\n\n  b", 9), ["a", "", "  b"]);
    }

    #[test]
    fn a_chop_keeps_every_space() {
        assert_eq!(chop("a  b  c", 3), ["a  ", "b  ", "c"]);
        assert_eq!(chop("", 3), [""]);
    }

    #[test]
    fn a_cursor_stands_where_its_cluster_is() {
        assert_eq!(field("ab\ncd", 4, 10), Field { rows: vec!["ab".into(), "cd".into()], cursor: (1, 1) });
        assert_eq!(field("abcd", 4, 2).cursor, (1, 2));
        assert_eq!(field("abcd", 2, 2).cursor, (1, 0));
        assert_eq!(field("日本", 1, 3), Field { rows: vec!["日".into(), "本".into()], cursor: (1, 0) });
        assert_eq!(field("a\u{202e}b", 2, 20).cursor, (0, 9));
        assert_eq!(field("a\n", 2, 20).cursor, (1, 0));
        assert_eq!(field("", 0, 20).cursor, (0, 0));
    }
}
