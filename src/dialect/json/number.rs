//! JSON numbers as they are written: what they would be as a double (spec 7), worked out from their decimal digits.

use crate::limits::MAX_SAFE_INTEGER;
use core::cmp::Ordering;

/// What a text begins with that should be a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scanned {
    /// A number of so many bytes.
    Number(usize),
    /// A number beyond the range of a double.
    TooLarge,
    /// Something that JSON has not.
    Malformed,
}

pub(super) fn scan(text: &str) -> Scanned {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && bytes.get(at) == Some(&b'0') {
        return Scanned::Malformed;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let places = digits(at + 1);
        if places == 0 {
            return Scanned::Malformed;
        }
        at += 1 + places;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let power = digits(at);
        if power == 0 {
            return Scanned::Malformed;
        }
        at += power;
    } else if at < TOO_LARGE.len() {
        return Scanned::Number(at);
    }
    if Decimal::new(text.get(..at).unwrap_or_default()).is_double() {
        Scanned::Number(at)
    } else {
        Scanned::TooLarge
    }
}

/// A number in decimal: its sign, its digits from the first that is not 0, and where the point stands in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decimal<'d> {
    negative: bool,
    whole: &'d str,
    places: &'d str,
    /// How many digits are before the point; what is negative are zeros after it.
    point: i64,
}

/// The least number that is nearer to infinity than to any double, 2^1024 - 2^970.
const TOO_LARGE: &str = concat!(
    "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070963",
    "3028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447573027",
    "0069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792"
);

/// The first digits of the largest number that is nearer to 0 than to any other double, 2^-1075, and where its point stands.
const TOO_SMALL: (&str, i64) = ("2470328229206232720882843964341106861825", -323);

impl<'d> Decimal<'d> {
    /// The number that a text is, which [`scan`] has seen.
    pub(super) fn new(text: &'d str) -> Self {
        let (number, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let digits = number.trim_start_matches('-');
        let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
        let before = whole.len();
        let whole = whole.trim_start_matches('0');
        // Zeros right after the point move it, if nothing is before it.
        let significant = if whole.is_empty() { places.trim_start_matches('0') } else { places };
        let zeros = before - whole.len() + places.len() - significant.len();
        // A power that is too large for its type is larger than all that matters.
        let beyond = if power.starts_with('-') { i32::MIN } else { i32::MAX };
        let power = i64::from(power.parse().unwrap_or(beyond));
        let point = power + before as i64 - zeros as i64;
        Self { negative: number.starts_with('-'), whole, places: significant, point }
    }

    /// Whether it is within the range of a double.
    fn is_double(&self) -> bool {
        match self.point.cmp(&(TOO_LARGE.len() as i64)) {
            Ordering::Less => true,
            Ordering::Equal => self.digits().lt(TOO_LARGE.bytes().map(|digit| digit - b'0')),
            Ordering::Greater => self.is_zero(),
        }
    }

    /// The double nearest to it, if that is a whole number from 0 to 2^53-1.
    pub(super) fn whole(&self) -> Option<u64> {
        if self.is_nothing() {
            return Some(0);
        }
        let (floor, fraction) = self.split().filter(|_| !self.negative)?;
        // Half the distance from one double to the next, at this size, is 2^-half.
        let half = 53 + 1 - (u64::BITS - floor.leading_zeros());
        let down = if floor == 0 { Ordering::Greater } else { compare(fraction.clone(), half) };
        let near = match down {
            Ordering::Less => floor,
            // Of two doubles that are as near, the even one.
            Ordering::Equal if half > 1 || floor % 2 == 0 => floor,
            Ordering::Equal | Ordering::Greater => {
                compare_missing(fraction, half).is_le().then(|| floor + 1)?
            }
        };
        (near <= MAX_SAFE_INTEGER).then_some(near)
    }

    /// A thousand times the number, rounded up, if it is not negative.
    #[cfg(feature = "chat")]
    pub(super) fn thousandfold(&self) -> Option<u64> {
        let more = Self { point: self.point.saturating_add(3), ..*self };
        if self.is_zero() {
            return Some(0);
        }
        let (floor, mut fraction) = more.split().filter(|_| !self.negative)?;
        Some(floor + u64::from(fraction.any(|digit| digit != 0)))
    }

    /// Whether the double nearest to it is 0.
    fn is_nothing(&self) -> bool {
        let (digits, point) = TOO_SMALL;
        self.is_zero()
            || match self.point.cmp(&point) {
                Ordering::Less => true,
                Ordering::Equal => self.digits().lt(digits.bytes().map(|digit| digit - b'0')),
                Ordering::Greater => false,
            }
    }

    fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.places.is_empty()
    }

    fn digits(&self) -> impl Iterator<Item = u8> + Clone + 'd {
        self.whole.bytes().chain(self.places.bytes()).map(|digit| digit - b'0')
    }

    /// What is before the point, up to 10^16, and the digits after it.
    fn split(&self) -> Option<(u64, impl Iterator<Item = u8> + Clone + 'd)> {
        let before = usize::try_from(self.point).unwrap_or(0);
        if before > 16 {
            return None;
        }
        let zeros = usize::try_from(self.point.saturating_neg()).unwrap_or(0);
        let padded = self.digits().chain(core::iter::repeat(0));
        let floor = padded.take(before).fold(0, |floor, digit| floor * 10 + u64::from(digit));
        Some((floor, core::iter::repeat_n(0, zeros).chain(self.digits().skip(before))))
    }
}

/// Compares a fraction, by its decimal digits, with 2^-power.
fn compare(mut fraction: impl Iterator<Item = u8>, power: u32) -> Ordering {
    // In as many decimal places, 2^-power is 5^power.
    let bound = 5_u128.pow(power);
    let Some(value) = leading(&mut fraction, power, bound) else { return Ordering::Greater };
    value.cmp(&bound).then(if fraction.any(|digit| digit != 0) { Ordering::Greater } else { Ordering::Equal })
}

/// Compares what a fraction lacks to 1 with 2^-power.
fn compare_missing(mut fraction: impl Iterator<Item = u8>, power: u32) -> Ordering {
    let bound = 5_u128.pow(power);
    // The nines' complement lacks one of its last place, or less where the fraction goes on.
    let mut complement = fraction.by_ref().chain(core::iter::repeat(0)).map(|digit| 9 - digit);
    match leading(&mut complement, power, bound) {
        Some(value) if fraction.any(|digit| digit != 0) => (value + 1).cmp(&bound).then(Ordering::Less),
        Some(value) => (value + 1).cmp(&bound),
        None => Ordering::Greater,
    }
}

/// The first digits as a number, unless it is more than the bound.
fn leading(digits: &mut impl Iterator<Item = u8>, count: u32, bound: u128) -> Option<u128> {
    (0..count).try_fold(0_u128, |value, _| {
        let value = value.checked_mul(10)?.checked_add(digits.next().unwrap_or(0).into())?;
        (value <= bound).then_some(value)
    })
}
