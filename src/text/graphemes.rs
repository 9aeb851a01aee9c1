//! Extended grapheme clusters (UAX #29): what a reader calls a character.

use super::categories::{Categories, Category};

/// The grapheme clusters of a text, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Graphemes<'t>(&'t str);

/// The grapheme clusters of a text.
pub(crate) const fn graphemes(text: &str) -> Graphemes<'_> {
    Graphemes(text)
}

impl<'t> Iterator for Graphemes<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let (first, rest) = self.0.split_at_checked(end_of_first(self.0))?;
        self.0 = rest;
        (!first.is_empty()).then_some(first)
    }
}

/// The last boundary before a place in a text, and the first one there or after it. The start is before itself.
pub(crate) fn boundaries(text: &str, at: usize) -> (usize, usize) {
    if at == 0 {
        return (0, 0);
    }
    let mut end = certain_boundary(text.get(..at).unwrap_or(text));
    loop {
        let before = end;
        end += end_of_first(text.get(end..).unwrap_or_default());
        if end >= at || end == before {
            return (before, end);
        }
    }
}

/// Whether the character is Extended_Pictographic.
pub(super) fn is_pictograph(c: char) -> bool {
    Categories::new().of(c) == Category::Pictographic
}

/// The length in bytes of the first cluster of a text.
fn end_of_first(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else { return 0 };
    let mut categories = Categories::new();
    let mut cluster = Cluster::of(categories.of(first));
    for (at, c) in chars {
        let category = categories.of(c);
        if cluster.ends_before(category) {
            return at;
        }
        cluster.add(category);
    }
    text.len()
}

/// The last place in a text, its end left out, that is a boundary whatever stands before.
fn certain_boundary(text: &str) -> usize {
    let mut categories = Categories::new();
    let mut after = None;
    for (at, c) in text.char_indices().rev() {
        let before = categories.of(c);
        if let Some((start, after)) = after
            && Cluster::at_most(before).ends_before(after)
        {
            return start;
        }
        after = Some((at, before));
    }
    0
}

/// How far a cluster has come to holding on to what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chain {
    None,
    /// A consonant of a conjunct, or a pictograph, and what extends it.
    Begun,
    /// That, and what links it to the next.
    Linked,
}

/// What is to be known of a cluster's characters up to here.
#[derive(Debug)]
struct Cluster {
    last: Category,
    conjunct: Chain,
    pictographs: Chain,
    /// The number of regional indicators is odd.
    half_flag: bool,
}

impl Cluster {
    /// Of one character.
    const fn of(first: Category) -> Self {
        let mut cluster =
            Self { last: Category::Any, conjunct: Chain::None, pictographs: Chain::None, half_flag: false };
        cluster.add(first);
        cluster
    }

    /// Of that character, and before it whatever holds on to most.
    const fn at_most(last: Category) -> Self {
        let chain = match last {
            Category::Extend | Category::Linker | Category::Joiner => Chain::Linked,
            _ => Chain::None,
        };
        Self { last, conjunct: chain, pictographs: chain, half_flag: true }
    }

    /// Whether the cluster ends before a character of that category.
    const fn ends_before(&self, next: Category) -> bool {
        use Category::{
            Any, CarriageReturn, Consonant, Control, Extend, Joiner, L, LineFeed, Linker, Lv, Lvt, NonJoiner,
            Pictographic, Prepend, RegionalIndicator, SpacingMark, T, V,
        };
        match (self.last, next) {
            // GB3
            (CarriageReturn, LineFeed) => false,
            // GB4, GB5
            (Control | CarriageReturn | LineFeed, _) | (_, Control | CarriageReturn | LineFeed) => true,
            // GB6, GB7, GB8
            (L, L | V | Lv | Lvt) | (Lv | V, V | T) | (Lvt | T, T) => false,
            // GB9, GB9a, GB9b
            (_, Extend | Linker | NonJoiner | Joiner | SpacingMark) | (Prepend, _) => false,
            // GB9c
            (_, Consonant) => !matches!(self.conjunct, Chain::Linked),
            // GB11
            (Joiner, Pictographic) => !matches!(self.pictographs, Chain::Linked),
            // GB12, GB13
            (RegionalIndicator, RegionalIndicator) => !self.half_flag,
            // GB999
            (_, Any | L | V | T | Lv | Lvt | Prepend | Pictographic | RegionalIndicator) => true,
        }
    }

    const fn add(&mut self, next: Category) {
        self.conjunct = match (next, self.conjunct) {
            (Category::Consonant, _) => Chain::Begun,
            (Category::Linker, Chain::Begun) => Chain::Linked,
            (Category::Linker | Category::Extend | Category::Joiner, chain) => chain,
            _ => Chain::None,
        };
        self.pictographs = match (next, self.pictographs) {
            (Category::Pictographic, _) => Chain::Begun,
            (Category::Extend | Category::Linker | Category::NonJoiner, Chain::Begun) => Chain::Begun,
            (Category::Joiner, Chain::Begun) => Chain::Linked,
            _ => Chain::None,
        };
        self.half_flag = matches!(next, Category::RegionalIndicator) && !self.half_flag;
        self.last = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;
    use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

    /// One character of each category, and some neighbours of theirs.
    const KINDS: [char; 21] = [
        'a',
        '\r',
        '\n',
        '\u{1}',
        '\u{300}',
        '\u{94D}',
        '\u{200C}',
        '\u{200D}',
        '\u{903}',
        '\u{600}',
        '\u{915}',
        '\u{1F468}',
        '©',
        '\u{1F1E6}',
        '\u{1100}',
        '\u{1161}',
        '\u{11A8}',
        '가',
        '각',
        '\u{1F3FD}',
        'é',
    ];

    #[track_caller]
    fn same(text: &str) {
        assert!(graphemes(text).eq(text.graphemes(true)), "{text:?}");
    }

    #[test]
    fn every_character_is_taken_for_what_it_is() {
        for c in '\0'..=char::MAX {
            let text: String = KINDS.iter().flat_map(|kind| [*kind, c]).collect();
            same(&text);
            assert_eq!(
                is_pictograph(c),
                String::from_iter([c, '\u{200D}', '©']).graphemes(true).nth(1).is_none(),
                "{c:?}"
            );
        }
    }

    #[test]
    fn clusters_of_up_to_four_kinds_end_where_they_end() {
        for a in KINDS {
            for b in KINDS {
                for c in KINDS {
                    for d in KINDS {
                        same(&String::from_iter([a, b, c, d]));
                    }
                }
            }
        }
    }

    #[test]
    fn boundaries_are_found_from_any_place() {
        let mut random = 1_u64;
        for _ in 0..20_000 {
            let mut next = |end: usize| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % end
            };
            let text: String = (0..next(12)).map(|_| KINDS[next(KINDS.len())]).collect();
            let ends: Vec<usize> =
                text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let mut cursor = GraphemeCursor::new(at, text.len(), true);
                let before = cursor.prev_boundary(&text, 0).unwrap().unwrap_or(0);
                let after = ends.iter().copied().find(|end| *end >= at).unwrap();
                assert_eq!(boundaries(&text, at), (before, after), "{text:?} {at}");
            }
        }
    }
}
