//! Text at the borders: what a person may be shown ([`display_safe`]), what fits a platform ([`cut`]), what
//! counts as blank and as one line, and what a paste leaves (spec 3, 10 and 11).
//!
//! Nothing here decides identity or an answer: the stored text, and what goes back to the asker, stay as they
//! came. The tables are of Unicode 17.0.0.

use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;
use graphemes::is_pictograph;
pub(crate) use graphemes::{boundaries, graphemes};

mod categories;
mod graphemes;

/// Where a text is shown, which decides what of it may stay unescaped (spec 11.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Titles, labels and whatever else has one line: every control character is escaped.
    Line,
    /// Running text: LF and tab stay.
    Body,
    /// A command to be run: LF and tab stay, and every joiner and variation selector is escaped too, since a
    /// shell sees them and a person does not.
    Command,
}

/// A text made safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Safe<'a> {
    /// What to show; borrowed where nothing had to be escaped.
    pub text: Cow<'a, str>,
    /// Whether something was escaped. A surface that shows a command warns of it.
    pub has_hidden: bool,
}

/// Shows what a text hides: each character that is invisible, or that moves others, becomes an escape such as
/// `\u{202E}` (upper-case hexadecimal, no padding) (spec 11.1).
///
/// Escaped are control characters, bidi controls, zero-width and other invisible format characters, line and
/// paragraph separators, fillers, tags and the rest of what Unicode lets a renderer ignore. Outside
/// [`Mode::Command`] a few of them stay where they do their proper work: ZWJ between two emoji; ZWJ and ZWNJ
/// between two letters that join, or after a virama; a variation selector after a character that it can vary;
/// the tags of a subdivision flag. A backslash in the text is not touched.
///
/// The result is safe text itself: made safe again in the same mode, it stays as it is.
#[must_use]
pub fn display_safe(text: &str, mode: Mode) -> Safe<'_> {
    let breaks = mode != Mode::Line;
    if is_plain(text.as_bytes(), breaks) {
        return Safe { text: Cow::Borrowed(text), has_hidden: false };
    }
    let mut out = String::new();
    let mut copied = 0;
    let mut flag_end = 0;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if !is_hidden(c) || (breaks && matches!(c, '\n' | '\t')) {
            continue;
        }
        // From the last escape on, so that what an escape has parted does not count as a neighbour.
        let before = text.get(copied..at).unwrap_or_default();
        if mode != Mode::Command {
            if at < flag_end || does_its_work(c, before, chars.as_str()) {
                continue;
            }
            if before.ends_with(BLACK_FLAG)
                && let Some(len) = subdivision_tags(text.get(at..).unwrap_or_default())
            {
                flag_end = at + len;
                continue;
            }
        }
        out.push_str(before);
        out.push_str("\\u{");
        let code = u32::from(c);
        for place in (0..code.checked_ilog2().unwrap_or(0) / 4 + 1).rev() {
            let digit = char::from_digit((code >> (place * 4)) & 15, 16).unwrap_or_default();
            out.push(digit.to_ascii_uppercase());
        }
        out.push('}');
        copied = at + c.len_utf8();
    }
    if copied == 0 {
        return Safe { text: Cow::Borrowed(text), has_hidden: false };
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Safe { text: Cow::Owned(out), has_hidden: true }
}

/// What a platform counts when it limits a text (spec 11.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Extended grapheme clusters (UAX #29): what a reader calls a character.
    Graphemes,
    /// Unicode scalar values.
    Scalars,
    /// UTF-16 code units, the length of a JavaScript string.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
}

impl Unit {
    /// The size of one grapheme cluster.
    fn size(self, grapheme: &str) -> usize {
        match self {
            Unit::Graphemes => 1,
            Unit::Scalars => grapheme.chars().count(),
            Unit::Utf16 => grapheme.chars().map(char::len_utf16).sum(),
            Unit::Bytes => grapheme.len(),
        }
    }
}

const ELLIPSIS: &str = "…";

/// At most `limit` units of a text, cut between two extended grapheme clusters and ending in `…` if something
/// was left out; the `…` counts (spec 11.2). Empty if not even the `…` fits.
///
/// Two texts may be equal once cut, so never take the result for what it was cut from.
#[must_use]
pub fn cut(text: &str, limit: usize, unit: Unit) -> Cow<'_, str> {
    // No unit is smaller than a byte.
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let Some(room) = limit.checked_sub(unit.size(ELLIPSIS)) else {
        return Cow::Borrowed("");
    };
    let (mut used, mut at, mut end) = (0, 0, 0);
    for grapheme in graphemes(text) {
        if used <= room {
            end = at;
        }
        at += grapheme.len();
        used += unit.size(grapheme);
        if used > limit {
            let mut out = String::with_capacity(end + ELLIPSIS.len());
            out.push_str(text.get(..end).unwrap_or_default());
            out.push_str(ELLIPSIS);
            return Cow::Owned(out);
        }
    }
    Cow::Borrowed(text)
}

/// Whether a text is empty or nothing but white space (Unicode White_Space), which is no answer and no name
/// (spec 3). A zero-width space is not white space.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    // Most texts begin with what is plainly no white space.
    !matches!(text.as_bytes().first(), Some(b'!'..=b'~')) && text.chars().all(char::is_whitespace)
}

/// A text without the white space around it. Most begin and end with what is plainly none.
pub(crate) fn trim(text: &str) -> &str {
    match (text.as_bytes().first(), text.as_bytes().last()) {
        (Some(b'!'..=b'~'), Some(b'!'..=b'~')) => text,
        (_, _) => text.trim(),
    }
}

/// Whether a text is a single line: no LF, VT, FF, CR, NEL, line or paragraph separator anywhere, not even at
/// the end (spec 3; the newline functions of the Unicode Standard, 5.8).
#[must_use]
pub fn is_one_line(text: &str) -> bool {
    // Most titles are plain ASCII, which need not be decoded.
    is_plain(text.as_bytes(), false)
        || !text.contains(['\n', '\u{B}', '\u{C}', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// What a paste, or a text set from outside, leaves in a text field: CRLF and a CR alone become LF, tab
/// stays, and other control characters (general category Cc) go (spec 10). Format characters stay: the text
/// is the person's.
#[must_use]
pub fn clean_paste(text: &str) -> Cow<'_, str> {
    let goes = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(goes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\r' {
            chars.next_if_eq(&'\n');
            out.push('\n');
        } else if !goes(c) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';
const MONGOLIAN_VOWEL_SEPARATOR: char = '\u{180E}';
const TEXT_STYLE: char = '\u{FE0E}';
const EMOJI_STYLE: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// Whether two texts are the same bytes. Most that are compared are names, for which two comparisons do.
#[cfg_attr(not(target_arch = "wasm32"), inline)]
#[cfg_attr(target_arch = "wasm32", inline(never))]
pub(crate) fn is_same(a: &[u8], b: &[u8]) -> bool {
    is_same_name(a, b)
}

/// The same, in place, where names of fields are compared.
#[inline(always)]
pub(crate) fn is_same_name(a: &[u8], b: &[u8]) -> bool {
    fn ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
        a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
    }
    a.len() == b.len()
        && match a.len() {
            4..8 => ends::<4>(a, b),
            8..=16 => ends::<8>(a, b),
            17..=32 => ends::<16>(a, b),
            _ => a == b,
        }
}

/// Few texts that come up share one; nothing else is asked of it.
pub(crate) fn digest(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let length = text.len() as u64;
    let digest = words.iter().fold(length, |digest, word| mix(digest, u64::from_le_bytes(*word)));
    // The last word of a longer text may overlap the one before it. Its last bytes, in which names differ, come lowest: they
    // spread over more bits.
    let last = match text.last_chunk() {
        Some(word) => u64::from_be_bytes(*word),
        None => rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    mix(digest, last)
}

pub(crate) const fn mix(digest: u64, word: u64) -> u64 {
    let spread = (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread ^ (spread >> 32)
}

/// Whether the text is printable ASCII, with LF and tab where they stay. Whole chunks without an early way
/// out, for the compiler to vectorise.
fn is_plain(bytes: &[u8], breaks: bool) -> bool {
    bytes.chunks(64).all(|chunk| {
        chunk.iter().fold(true, |plain, &byte| {
            plain & (matches!(byte, b' '..=b'~') | (breaks & matches!(byte, b'\n' | b'\t')))
        })
    })
}

fn is_hidden(c: char) -> bool {
    match c {
        // The bulk of real text, without a search.
        ' '..='~' | '\u{A0}'..='\u{AC}' | '\u{AE}'..='\u{34E}' | '\u{3165}'..='\u{FDFF}' => false,
        _ => within(&HIDDEN, c),
    }
}

/// Whether the hidden character `c` changes how its neighbours look, as it is meant to. It looks back only at
/// text that stays, and ahead only at characters that are never escaped.
fn does_its_work(c: char, before: &str, after: &str) -> bool {
    let next = after.chars().next();
    let is_base = |can_vary: fn(char) -> bool| before.chars().next_back().is_some_and(can_vary);
    match c {
        ZWJ => joins_emoji(before, next) || joins_letters(before, next),
        ZWNJ => joins_letters(before, next),
        MONGOLIAN_VOWEL_SEPARATOR => {
            before.trim_end_matches(is_mongolian_selector).ends_with(is_mongolian)
                && next.is_some_and(is_mongolian)
        }
        TEXT_STYLE => is_base(is_emoji),
        // The digits, # and * are emoji only as keycaps.
        EMOJI_STYLE => {
            is_base(is_emoji) || (next == Some(KEYCAP) && is_base(|c| matches!(c, '0'..='9' | '#' | '*')))
        }
        '\u{FE00}'..='\u{FE02}' => is_base(|c| within(&HAN, c) || within(&VARIED, c)),
        '\u{FE03}'..='\u{FE06}' => is_base(|c| within(&VARIED, c)),
        '\u{E0100}'..='\u{E01EF}' => is_base(|c| within(&HAN, c)),
        _ => is_mongolian_selector(c) && is_base(is_mongolian),
    }
}

/// The ZWJ of an emoji sequence: emoji on both sides, the first perhaps with a skin tone or a variation
/// selector.
fn joins_emoji(before: &str, next: Option<char>) -> bool {
    let first = before.trim_end_matches(|c| is_skin_tone(c) || matches!(c, TEXT_STYLE | EMOJI_STYLE));
    first.ends_with(is_pictograph) && next.is_some_and(is_pictograph)
}

/// A joiner between two letters (or their marks) of scripts that join, or after a virama, where it chooses
/// the form of the consonant before it even at the end of a word (RFC 5892, A.1 and A.2).
fn joins_letters(before: &str, next: Option<char>) -> bool {
    let Some(last) = before.trim_end_matches(is_mongolian_selector).chars().next_back() else {
        return false;
    };
    within(&VIRAMA, last)
        || next.is_some_and(|next| {
            (within(&CURSIVE, last) && within(&CURSIVE, next))
                || (within(&CONJUNCT, last) && within(&CONJUNCT, next))
        })
}

/// The length in bytes of the tags at the start of `tags` if they make the black flag before them a
/// subdivision's: two letters for the region, one to four letters or digits, and the cancel tag (UTS #51,
/// ED-14a and annex C). Any other tags could spell out a hidden text.
fn subdivision_tags(tags: &str) -> Option<usize> {
    for (index, (at, tag)) in tags.char_indices().take(7).enumerate() {
        match tag {
            '\u{E0061}'..='\u{E007A}' => {}
            '\u{E0030}'..='\u{E0039}' if index >= 2 => {}
            CANCEL_TAG if index >= 3 => return Some(at + tag.len_utf8()),
            _ => return None,
        }
    }
    None
}

fn is_mongolian(c: char) -> bool {
    matches!(c, '\u{1820}'..='\u{1878}' | '\u{1880}'..='\u{18AA}')
}

fn is_mongolian_selector(c: char) -> bool {
    matches!(c, '\u{180B}'..='\u{180D}' | '\u{180F}')
}

fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1F3FB}'..='\u{1F3FF}')
}

/// Whether the character is an emoji by itself or as a part of one, the keycap bases left out.
fn is_emoji(c: char) -> bool {
    is_skin_tone(c) || matches!(c, '\u{1F1E6}'..='\u{1F1FF}') || is_pictograph(c)
}

/// Whether the sorted, disjoint, inclusive ranges of a table hold the character.
fn within(table: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    table
        .binary_search_by(|&(first, last)| {
            if last < c {
                Ordering::Less
            } else if first > c {
                Ordering::Greater
            } else {
                Ordering::Equal
            }
        })
        .is_ok()
}

/// Everything that shows nothing by itself or moves what is around it: the general categories Cc, Cf, Zl and
/// Zp (`DerivedGeneralCategory.txt`) and Default_Ignorable_Code_Point, which covers the bidi controls, all
/// variation selectors and the tags (`DerivedCoreProperties.txt`); without Prepended_Concatenation_Mark
/// (`PropList.txt`), the format characters that are seen, such as the Arabic number sign.
#[rustfmt::skip]
static HIDDEN: [(u32, u32); 20] = [
    (0x0, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
];

/// The letters and marks of the scripts that have dual-joining letters (`ArabicShaping.txt`, `Scripts.txt`,
/// `ScriptExtensions.txt`): Arabic, Syriac, Mandaic, N'Ko, Mongolian, Phags-pa, Manichaean, Psalter Pahlavi,
/// Sogdian, Chorasmian, Old Uyghur, Hanifi Rohingya, Adlam. Unassigned gaps between them are filled.
#[rustfmt::skip]
static CURSIVE: [(u32, u32); 38] = [
    (0x610, 0x61A), (0x620, 0x65F), (0x66E, 0x6D3), (0x6D5, 0x6DC), (0x6DF, 0x6E8), (0x6EA, 0x6EF),
    (0x6FA, 0x6FC), (0x6FF, 0x6FF), (0x710, 0x77F), (0x7CA, 0x7F5), (0x7FA, 0x7FD), (0x840, 0x85B),
    (0x860, 0x887), (0x889, 0x88F), (0x897, 0x8E1), (0x8E3, 0x8FF), (0x1820, 0x18AA), (0x1DF8, 0x1DF8),
    (0x1DFA, 0x1DFA), (0xA840, 0xA873), (0xFB50, 0xFBB1), (0xFBD3, 0xFD3D), (0xFD50, 0xFD8F),
    (0xFD92, 0xFDC7), (0xFDF0, 0xFDFB), (0xFE70, 0xFEFC), (0x102E0, 0x102E0), (0x10AC0, 0x10AC7),
    (0x10AC9, 0x10AE6), (0x10B80, 0x10B91), (0x10D00, 0x10D27), (0x10EC2, 0x10EC7), (0x10EFA, 0x10EFF),
    (0x10F30, 0x10F50), (0x10F70, 0x10F85), (0x10FB0, 0x10FC4), (0x1E900, 0x1E94B), (0x1EE00, 0x1EEBB),
];

/// The letters and marks of the scripts that build conjuncts, those with an Indic_Syllabic_Category of Virama
/// or Invisible_Stacker (`IndicSyllabicCategory.txt`, `Scripts.txt`, `ScriptExtensions.txt`). Unassigned gaps
/// between them are filled.
#[rustfmt::skip]
static CONJUNCT: [(u32, u32); 84] = [
    (0x900, 0x952), (0x955, 0x963), (0x971, 0x9E3), (0x9F0, 0x9F1), (0x9FC, 0x9FC), (0x9FE, 0xA5E),
    (0xA70, 0xA75), (0xA81, 0xAE3), (0xAF9, 0xB63), (0xB71, 0xB71), (0xB82, 0xBD7), (0xC00, 0xC63),
    (0xC80, 0xC83), (0xC85, 0xCE3), (0xCF1, 0xD4E), (0xD54, 0xD57), (0xD5F, 0xD63), (0xD7A, 0xDDF),
    (0xDF2, 0xDF3), (0x1000, 0x103F), (0x1050, 0x108F), (0x109A, 0x109D), (0x1780, 0x17B3),
    (0x17B6, 0x17D3), (0x17D7, 0x17D7), (0x17DC, 0x17DD), (0x1A20, 0x1A7F), (0x1AA7, 0x1AA7),
    (0x1B00, 0x1B4C), (0x1B6B, 0x1B73), (0x1B80, 0x1BAF), (0x1BBA, 0x1BBF), (0x1CD0, 0x1CD2),
    (0x1CD4, 0x1CFA), (0x20F0, 0x20F0), (0xA800, 0xA827), (0xA82C, 0xA82C), (0xA880, 0xA8C5),
    (0xA8E0, 0xA8F7), (0xA8FB, 0xA8FB), (0xA8FD, 0xA8FF), (0xA980, 0xA9C0), (0xA9CF, 0xA9CF),
    (0xA9E0, 0xA9EF), (0xA9FA, 0xA9FE), (0xAA60, 0xAA76), (0xAA7A, 0xAA7F), (0xAAE0, 0xAAEF),
    (0xAAF2, 0xAAF6), (0xABC0, 0xABEA), (0xABEC, 0xABED), (0x10A00, 0x10A3F), (0x11000, 0x11046),
    (0x11070, 0x110BA), (0x110C2, 0x110C2), (0x11100, 0x11134), (0x11144, 0x11147), (0x11180, 0x111C4),
    (0x111C9, 0x111CC), (0x111CE, 0x111CF), (0x111DA, 0x111DA), (0x111DC, 0x111DC), (0x11200, 0x11237),
    (0x1123E, 0x11241), (0x11300, 0x113D3), (0x113E1, 0x1144A), (0x1145E, 0x114C5), (0x114C7, 0x114C7),
    (0x11580, 0x115C0), (0x115D8, 0x11640), (0x11644, 0x11644), (0x11680, 0x116B8), (0x11800, 0x1183A),
    (0x11900, 0x11943), (0x119A0, 0x119E1), (0x119E3, 0x11A3E), (0x11A47, 0x11A99), (0x11A9D, 0x11A9D),
    (0x11B60, 0x11B67), (0x11C00, 0x11C40), (0x11D00, 0x11D47), (0x11D60, 0x11D98), (0x11F00, 0x11F42),
    (0x11F5A, 0x11F5A),
];

/// The marks of these scripts with the canonical combining class Virama (`DerivedCombiningClass.txt`).
#[rustfmt::skip]
static VIRAMA: [(u32, u32); 47] = [
    (0x94D, 0x94D), (0x9CD, 0x9CD), (0xA4D, 0xA4D), (0xACD, 0xACD), (0xB4D, 0xB4D), (0xBCD, 0xBCD),
    (0xC4D, 0xC4D), (0xCCD, 0xCCD), (0xD3B, 0xD3C), (0xD4D, 0xD4D), (0xDCA, 0xDCA), (0x1039, 0x103A),
    (0x17D2, 0x17D2), (0x1A60, 0x1A60), (0x1B44, 0x1B44), (0x1BAA, 0x1BAB), (0xA806, 0xA806),
    (0xA82C, 0xA82C), (0xA8C4, 0xA8C4), (0xA9C0, 0xA9C0), (0xAAF6, 0xAAF6), (0xABED, 0xABED),
    (0x10A3F, 0x10A3F), (0x11046, 0x11046), (0x11070, 0x11070), (0x1107F, 0x1107F), (0x110B9, 0x110B9),
    (0x11133, 0x11134), (0x111C0, 0x111C0), (0x11235, 0x11235), (0x1134D, 0x1134D), (0x113CE, 0x113D0),
    (0x11442, 0x11442), (0x114C2, 0x114C2), (0x115BF, 0x115BF), (0x1163F, 0x1163F), (0x116B6, 0x116B6),
    (0x11839, 0x11839), (0x1193D, 0x1193E), (0x119E0, 0x119E0), (0x11A34, 0x11A34), (0x11A47, 0x11A47),
    (0x11A99, 0x11A99), (0x11C3F, 0x11C3F), (0x11D44, 0x11D45), (0x11D97, 0x11D97), (0x11F41, 0x11F42),
];

/// Unified_Ideograph (`PropList.txt`): the bases of the ideographic variation sequences.
#[rustfmt::skip]
static HAN: [(u32, u32); 16] = [
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xFA0E, 0xFA0F), (0xFA11, 0xFA11), (0xFA13, 0xFA14),
    (0xFA1F, 0xFA1F), (0xFA21, 0xFA21), (0xFA23, 0xFA24), (0xFA27, 0xFA29), (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81D), (0x2B820, 0x2CEAD), (0x2CEB0, 0x2EBE0), (0x2EBF0, 0x2EE5D), (0x30000, 0x3134A),
    (0x31350, 0x33479),
];

/// The other bases of the sequences with VS1 to VS7 in `StandardizedVariants.txt`, without ASCII, with every
/// hieroglyph.
#[rustfmt::skip]
static VARIED: [(u32, u32); 61] = [
    (0x1000, 0x1000), (0x1002, 0x1002), (0x1004, 0x1004), (0x1010, 0x1011), (0x1015, 0x1015),
    (0x1019, 0x101A), (0x101C, 0x101D), (0x1022, 0x1022), (0x1031, 0x1031), (0x1075, 0x1075),
    (0x1078, 0x1078), (0x107A, 0x107A), (0x1080, 0x1080), (0x2018, 0x2019), (0x201C, 0x201D),
    (0x210B, 0x210B), (0x2110, 0x2110), (0x2112, 0x2112), (0x211B, 0x211B), (0x212C, 0x212C),
    (0x2130, 0x2131), (0x2133, 0x2133), (0x2205, 0x2205), (0x2229, 0x222A), (0x2268, 0x2269),
    (0x2272, 0x2273), (0x228A, 0x228B), (0x2293, 0x2295), (0x2297, 0x2297), (0x229C, 0x229C),
    (0x22DA, 0x22DB), (0x2A3C, 0x2A3D), (0x2A9D, 0x2A9E), (0x2AAC, 0x2AAD), (0x2ACB, 0x2ACC),
    (0x3001, 0x3002), (0xA856, 0xA856), (0xA85C, 0xA85C), (0xA85E, 0xA860), (0xA868, 0xA868),
    (0xAA60, 0xAA66), (0xAA6B, 0xAA6C), (0xAA6F, 0xAA6F), (0xAA7A, 0xAA7A), (0xFF01, 0xFF01),
    (0xFF0C, 0xFF0C), (0xFF0E, 0xFF0E), (0xFF10, 0xFF10), (0xFF1A, 0xFF1B), (0xFF1F, 0xFF1F),
    (0x10AC5, 0x10AC6), (0x10AD6, 0x10AD7), (0x10AE1, 0x10AE1), (0x13000, 0x1342F), (0x13443, 0x13446),
    (0x1D49C, 0x1D49C), (0x1D49E, 0x1D49F), (0x1D4A2, 0x1D4A2), (0x1D4A5, 0x1D4A6), (0x1D4A9, 0x1D4AC),
    (0x1D4AE, 0x1D4B5),
];

#[cfg(test)]
mod tests {
    use alloc::borrow::Cow;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use unicode_segmentation::UnicodeSegmentation;

    use super::{Mode, Unit, clean_paste, cut, display_safe, is_blank, is_one_line};

    const MODES: [Mode; 3] = [Mode::Line, Mode::Body, Mode::Command];
    const UNITS: [Unit; 4] = [Unit::Graphemes, Unit::Scalars, Unit::Utf16, Unit::Bytes];

    #[track_caller]
    fn stays(text: &str, mode: Mode) {
        let safe = display_safe(text, mode);
        assert_eq!(safe.text, text);
        assert!(matches!(safe.text, Cow::Borrowed(_)));
        assert!(!safe.has_hidden);
    }

    #[track_caller]
    fn becomes(text: &str, mode: Mode, shown: &str) {
        let safe = display_safe(text, mode);
        assert_eq!(safe.text, shown);
        assert!(safe.has_hidden);
    }

    fn is_bidi_control(c: char) -> bool {
        matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    }

    fn scalars() -> impl Iterator<Item = char> {
        '\0'..=char::MAX
    }

    /// What holds for every text in every mode.
    #[track_caller]
    fn check_safe(text: &str, mode: Mode) {
        let safe = display_safe(text, mode);
        for c in safe.text.chars() {
            let kept_break = mode != Mode::Line && matches!(c, '\n' | '\t');
            assert!(!c.is_control() || kept_break, "{text:?} {mode:?}");
            assert!(!is_bidi_control(c) && !matches!(c, '\u{2028}' | '\u{2029}'), "{text:?} {mode:?}");
        }
        assert_eq!(safe.has_hidden, safe.text != text, "{text:?} {mode:?}");
        assert_eq!(matches!(safe.text, Cow::Owned(_)), safe.has_hidden, "{text:?} {mode:?}");
        let again = display_safe(&safe.text, mode);
        assert_eq!(again.text, safe.text, "{text:?} {mode:?}");
        assert!(!again.has_hidden, "{text:?} {mode:?}");
    }

    /// A small linear congruential generator: the same texts on every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }

        /// A text of up to twelve characters, of those that act on each other.
        fn text(&mut self) -> String {
            const POOL: [char; 36] = [
                'a',
                '1',
                '#',
                ' ',
                '\\',
                '\n',
                '\t',
                '\r',
                '\0',
                '\u{7F}',
                '\u{AD}',
                '\u{301}',
                '\u{200B}',
                '\u{200C}',
                '\u{200D}',
                '\u{202E}',
                '\u{2028}',
                '\u{FE00}',
                '\u{FE0E}',
                '\u{FE0F}',
                '\u{20E3}',
                '\u{E0100}',
                '\u{E0061}',
                '\u{E007F}',
                '\u{1F3F4}',
                '\u{1F468}',
                '\u{1F3FD}',
                '\u{1F1E9}',
                'م',
                'ک',
                '\u{915}',
                '\u{94D}',
                '\u{1828}',
                '\u{180B}',
                '\u{180E}',
                '葛',
            ];
            (0..self.below(13)).map(|_| POOL[self.below(POOL.len())]).collect()
        }
    }

    #[test]
    fn plain_text_is_borrowed_in_every_mode() {
        for mode in MODES {
            for text in
                ["", "Deploy to prod?", r"echo '\u{202E}' \n", "Zürich, 東京, Ελλάδα, नमस्ते, 한국어 🚀"]
            {
                stays(text, mode);
            }
        }
    }

    #[test]
    fn a_line_escapes_breaks_and_a_body_and_a_command_keep_them() {
        becomes("a\n\tb", Mode::Line, r"a\u{A}\u{9}b");
        stays("a\n\tb", Mode::Body);
        stays("a\n\tb", Mode::Command);
        for mode in [Mode::Body, Mode::Command] {
            becomes("a\r\nb\u{1B}[2J\u{85}", mode, "a\\u{D}\nb\\u{1B}[2J\\u{85}");
        }
    }

    #[test]
    fn a_hidden_character_is_found_at_any_place_of_a_long_plain_text() {
        for at in [0, 1, 63, 64, 65, 127, 128, 200] {
            let mut text = "x".repeat(200);
            text.insert(at, '\u{7}');
            becomes(&text, Mode::Body, &text.replace('\u{7}', r"\u{7}"));
        }
    }

    #[test]
    fn what_reorders_or_hides_is_escaped_in_every_mode() {
        for c in [
            '\0',
            '\u{7F}',
            '\u{9B}',
            '\u{AD}',
            '\u{34F}',
            '\u{61C}',
            '\u{115F}',
            '\u{1160}',
            '\u{17B4}',
            '\u{180E}',
            '\u{200B}',
            '\u{200C}',
            '\u{200D}',
            '\u{200E}',
            '\u{200F}',
            '\u{2028}',
            '\u{2029}',
            '\u{202A}',
            '\u{202E}',
            '\u{2060}',
            '\u{2061}',
            '\u{2064}',
            '\u{2065}',
            '\u{2066}',
            '\u{2069}',
            '\u{206F}',
            '\u{3164}',
            '\u{FE00}',
            '\u{FE0F}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{FFF0}',
            '\u{FFF9}',
            '\u{FFFB}',
            '\u{13430}',
            '\u{1BCA0}',
            '\u{1D173}',
            '\u{E0001}',
            '\u{E0041}',
            '\u{E007F}',
            '\u{E0100}',
            '\u{E0FFF}',
        ] {
            for mode in MODES {
                let shown = alloc::format!("a\\u{{{:X}}}b", u32::from(c));
                becomes(&String::from_iter(['a', c, 'b']), mode, &shown);
            }
        }
    }

    #[test]
    fn format_characters_that_are_seen_stay() {
        for c in ['\u{600}', '\u{605}', '\u{6DD}', '\u{70F}', '\u{890}', '\u{8E2}', '\u{110BD}', '\u{110CD}']
        {
            stays(&String::from_iter(['a', c, '1']), Mode::Command);
        }
    }

    #[test]
    fn joiners_of_letters_that_join_stay_outside_commands() {
        for text in
            ["می\u{200C}خواهم", "क्\u{200D}ष", "क्\u{200C}ष", "র\u{200D}্যাব", "ක\u{200D}්ය", "ᠨ\u{180B}\u{180E}ᠠ"]
        {
            stays(text, Mode::Line);
            stays(text, Mode::Body);
            assert!(display_safe(text, Mode::Command).has_hidden);
        }
        becomes("می\u{200C}خواهم", Mode::Command, r"می\u{200C}خواهم");
    }

    #[test]
    fn after_a_virama_a_joiner_stays_at_the_end_of_a_word_too() {
        stays("അവന്\u{200D}", Mode::Line);
        stays("ಬ್ಯಾಂಕ್\u{200C} ನಲ್ಲಿ", Mode::Line);
    }

    #[test]
    fn joiners_between_anything_else_are_escaped() {
        becomes("pay\u{200C}pal", Mode::Line, r"pay\u{200C}pal");
        becomes("ab\u{200D}", Mode::Line, r"ab\u{200D}");
        becomes("\u{200D}م", Mode::Line, r"\u{200D}م");
        becomes("م\u{200C} م", Mode::Line, r"م\u{200C} م");
        becomes("م\u{200C}a", Mode::Line, r"م\u{200C}a");
        becomes("م\u{200C}क", Mode::Line, r"م\u{200C}क");
        becomes("۱\u{200C}۲", Mode::Line, r"۱\u{200C}۲");
        becomes("م\u{200C}\u{200C}م", Mode::Line, r"م\u{200C}\u{200C}م");
    }

    #[test]
    fn emoji_sequences_stay_outside_commands() {
        for text in [
            "👨\u{200D}👩\u{200D}👧\u{200D}👦",
            "⛹🏽\u{200D}♀\u{FE0F}",
            "👁\u{FE0F}\u{200D}🗨\u{FE0F}",
            "❤\u{FE0F}\u{200D}🔥",
            "1\u{FE0F}\u{20E3}#\u{FE0F}\u{20E3}",
            "☎\u{FE0E}©\u{FE0F}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "🏴\u{E0066}\u{E0072}\u{E0039}\u{E0037}\u{E0034}\u{E007F}",
        ] {
            stays(text, Mode::Line);
            stays(text, Mode::Body);
            assert!(display_safe(text, Mode::Command).has_hidden);
        }
        becomes("❤\u{FE0F}", Mode::Command, r"❤\u{FE0F}");
    }

    #[test]
    fn pieces_of_emoji_sequences_are_escaped() {
        becomes("👨\u{200D}", Mode::Line, r"👨\u{200D}");
        becomes("👨\u{200D}x", Mode::Line, r"👨\u{200D}x");
        becomes("x\u{200D}👨", Mode::Line, r"x\u{200D}👨");
        becomes("👨\u{200D}\u{301}", Mode::Line, "👨\\u{200D}\u{301}");
        becomes("👨\u{200D}\u{200D}👩", Mode::Line, r"👨\u{200D}\u{200D}👩");
        becomes("👨\u{200B}\u{200D}👩", Mode::Line, r"👨\u{200B}\u{200D}👩");
        becomes("🇩🇪\u{200D}🇫🇷", Mode::Line, r"🇩🇪\u{200D}🇫🇷");
        becomes("1\u{FE0F}00", Mode::Line, r"1\u{FE0F}00");
    }

    #[test]
    fn a_variation_selector_stays_only_right_after_what_it_can_vary() {
        stays("葛\u{E0100}城 \u{4FAE}\u{FE00} \u{2229}\u{FE00} \u{1820}\u{180B}", Mode::Line);
        becomes("a\u{FE0F}", Mode::Line, r"a\u{FE0F}");
        becomes("\u{FE0F}", Mode::Line, r"\u{FE0F}");
        becomes("葛\u{E0100}\u{E0101}", Mode::Line, "葛\u{E0100}\\u{E0101}");
        becomes("😀\u{E0100}", Mode::Line, r"😀\u{E0100}");
        becomes("葛\u{FE07}", Mode::Line, r"葛\u{FE07}");
        becomes("葛\u{180B}", Mode::Line, r"葛\u{180B}");
    }

    #[test]
    fn tags_are_escaped_unless_they_make_a_subdivision_flag() {
        becomes("ok\u{E0068}\u{E0069}", Mode::Line, r"ok\u{E0068}\u{E0069}");
        becomes("🏴\u{E0067}\u{E0062}", Mode::Line, r"🏴\u{E0067}\u{E0062}");
        becomes("🏴\u{E0067}\u{E0062}\u{E007F}", Mode::Line, r"🏴\u{E0067}\u{E0062}\u{E007F}");
        becomes(
            "🏴\u{E0031}\u{E0062}\u{E0062}\u{E007F}",
            Mode::Line,
            r"🏴\u{E0031}\u{E0062}\u{E0062}\u{E007F}",
        );
        let long = ["🏴", &"\u{E0061}".repeat(7), "\u{E007F}"].concat();
        becomes(&long, Mode::Line, &["🏴", &r"\u{E0061}".repeat(7), r"\u{E007F}"].concat());
        becomes(
            "😀\u{E0067}\u{E0062}\u{E0073}\u{E007F}",
            Mode::Line,
            r"😀\u{E0067}\u{E0062}\u{E0073}\u{E007F}",
        );
    }

    #[test]
    fn every_scalar_value_comes_out_safe_in_every_mode() {
        let mut text = String::new();
        for c in scalars() {
            text.clear();
            text.extend(['a', c, 'b']);
            for mode in MODES {
                check_safe(&text, mode);
            }
        }
    }

    #[test]
    fn every_scalar_value_comes_out_safe_beside_what_may_stay() {
        let mut text = String::new();
        for c in scalars().step_by(7).chain('\0'..'\u{3200}').chain('\u{E0000}'..'\u{E0200}') {
            text.clear();
            text.extend(['م', c, 'م', '\u{200D}', c, '\u{200C}', c, '\u{FE0F}', c, '\u{E0100}', c]);
            text.extend([
                '👨',
                c,
                '👨',
                '\u{200D}',
                c,
                '\u{180B}',
                c,
                '\u{1F3F4}',
                '\u{E0061}',
                c,
                '\u{E007F}',
            ]);
            check_safe(&text, Mode::Line);
        }
    }

    #[test]
    fn random_texts_come_out_safe() {
        let mut random = Random(1);
        for _ in 0..100_000 {
            let text = random.text();
            for mode in MODES {
                check_safe(&text, mode);
            }
        }
    }

    #[test]
    fn a_text_that_fits_is_not_cut() {
        for unit in UNITS {
            assert!(matches!(cut("", 0, unit), Cow::Borrowed("")));
            assert!(matches!(cut("abc", 3, unit), Cow::Borrowed("abc")));
            assert!(matches!(cut("👨\u{200D}👩", 100, unit), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn a_cut_counts_in_the_unit_asked_for() {
        // One grapheme, three scalars, five UTF-16 units, eleven bytes.
        let pair = "👨\u{200D}👩";
        let text = pair.repeat(4);
        for (unit, size, ellipsis) in
            [(Unit::Graphemes, 1, 1), (Unit::Scalars, 3, 1), (Unit::Utf16, 5, 1), (Unit::Bytes, 11, 3)]
        {
            assert_eq!(cut(&text, 4 * size, unit), text);
            assert_eq!(cut(&text, 2 * size + ellipsis, unit), [pair, pair, "…"].concat());
            assert_eq!(cut(&text, 2 * size + ellipsis - 1, unit), [pair, "…"].concat());
            assert_eq!(cut(&text, size + ellipsis, unit), [pair, "…"].concat());
            assert_eq!(cut(&text, ellipsis, unit), "…");
            assert_eq!(cut(&text, ellipsis - 1, unit), "");
        }
    }

    #[test]
    fn a_cut_parts_no_cluster() {
        assert_eq!(cut("cafe\u{301}s", 5, Unit::Scalars), "caf…");
        assert_eq!(cut("cafe\u{301}s", 4, Unit::Graphemes), "caf…");
        assert_eq!(cut("a\r\nb", 3, Unit::Scalars), "a…");
        assert_eq!(cut("🇩🇪🇫🇷", 3, Unit::Scalars), "🇩🇪…");
        let label = "a".repeat(79);
        assert_eq!(cut(&[&label, "👍"].concat(), 80, Unit::Utf16), [&label, "…"].concat());
    }

    #[test]
    fn a_cut_is_the_longest_one_that_fits() {
        let mut random = Random(2);
        for _ in 0..20_000 {
            let text = random.text();
            let bounds: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
            let size = |text: &str, unit| match unit {
                Unit::Graphemes => text.graphemes(true).count(),
                Unit::Scalars => text.chars().count(),
                Unit::Utf16 => text.encode_utf16().count(),
                Unit::Bytes => text.len(),
            };
            for unit in UNITS {
                let limit = random.below(16);
                let expected = if size(&text, unit) <= limit {
                    text.clone()
                } else if let Some(room) = limit.checked_sub(size("…", unit)) {
                    let end = bounds.iter().rev().find(|&&end| size(&text[..end], unit) <= room);
                    [&text[..*end.unwrap()], "…"].concat()
                } else {
                    String::new()
                };
                assert_eq!(cut(&text, limit, unit), expected, "{text:?} {limit} {unit:?}");
            }
        }
    }

    #[test]
    fn blank_is_nothing_but_white_space() {
        let spaces = "\u{85}\u{A0}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}";
        for text in ["", " ", "\t\r\n\u{B}\u{C}", spaces] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["x", " . ", "\u{200B}", "\u{FEFF}", "\u{2800}", "\0", "\u{AD}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn one_line_holds_no_line_break_of_any_kind() {
        assert!(is_one_line(""));
        assert!(is_one_line("a\tb \u{A0}\u{1C}\0"));
        for end in ['\n', '\u{B}', '\u{C}', '\r', '\u{85}', '\u{2028}', '\u{2029}'] {
            assert!(!is_one_line(&["title", &end.to_string()].concat()), "{end:?}");
        }
    }

    #[test]
    fn a_paste_keeps_lines_and_tabs_and_loses_other_controls() {
        assert!(matches!(clean_paste("a\n\tb \u{202E}\u{2028}é"), Cow::Borrowed(_)));
        assert_eq!(clean_paste("a\r\nb\rc\n\rd\r\r\ne"), "a\nb\nc\n\nd\n\ne");
        assert_eq!(clean_paste("\u{1B}[31mred\u{7}\0\u{7F}\u{85}\u{9B}\r"), "[31mred\n");
        for c in scalars() {
            let mut buffer = [0; 4];
            let kept = clean_paste(c.encode_utf8(&mut buffer));
            assert_eq!(kept.is_empty(), c.is_control() && !matches!(c, '\n' | '\t' | '\r'), "{c:?}");
        }
    }
}
