//! A map by names that peers choose.

use crate::ordered::Map;
use core::cmp::Ordering;

/// Ordered by a digest of the name, so that the search compares numbers, and one name in the end. Names of one digest, by
/// chance or by design, are ordered by themselves, so that no choice of names makes the map slow (spec 11.3).
#[derive(Debug)]
pub(super) struct ByName<K, V>(Map<K, V>);

impl<K, V> Default for ByName<K, V> {
    fn default() -> Self {
        Self(Map::new())
    }
}

/// A name, whether owned or not.
pub(super) trait Name: AsRef<[u8]> {}

impl<N: AsRef<[u8]> + ?Sized> Name for N {}

impl<K: Clone + Name, V: Default> ByName<K, V> {
    pub(super) fn get<N: Name + ?Sized>(&self, name: &N) -> Option<&V> {
        self.get_key_value(name).map(|(_, value)| value)
    }

    pub(super) fn get_key_value<N: Name + ?Sized>(&self, name: &N) -> Option<(&K, &V)> {
        let name = name.as_ref();
        self.0.get_by(digest(name), |key| compare(key, name))
    }

    pub(super) fn get_mut<N: Name + ?Sized>(&mut self, name: &N) -> Option<&mut V> {
        let name = name.as_ref();
        self.0.get_mut_by(digest(name), |key| compare(key, name))
    }

    /// The value of a name, which is added if it is not there: there always is one.
    pub(super) fn or_default(&mut self, name: &K) -> Option<&mut V> {
        let bytes = name.as_ref();
        self.0.or_default_by(digest(bytes), |key| compare(key, bytes), || name.clone())
    }

    pub(super) fn remove<N: Name + ?Sized>(&mut self, name: &N) -> Option<V> {
        let name = name.as_ref();
        self.0.remove_by(digest(name), |key| compare(key, name))
    }
}

/// Compares bytes, which need no second check that they are text.
fn compare(key: &impl Name, name: &[u8]) -> Ordering {
    key.as_ref().cmp(name)
}

/// Few names share one; nothing else is asked of it.
fn digest(name: &[u8]) -> u64 {
    let (words, rest) = name.as_chunks::<8>();
    let length = name.len() as u64;
    let digest = words.iter().fold(length, |digest, word| mix(digest, u64::from_le_bytes(*word)));
    mix(digest, rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

const fn mix(digest: u64, word: u64) -> u64 {
    let spread = (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread ^ (spread >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Two names of one digest, as a peer may choose them.
    fn twins() -> [String; 2] {
        let word = |text: &str| u64::from_le_bytes(text.as_bytes().try_into().unwrap());
        let before = |first: &str| mix(16, word(first));
        let (first, second) = ("surface:", "........");
        let meant = before(first) ^ word(second);
        let mut others = (10_000_000..).map(|n: u64| alloc::format!("{n}"));
        let other = others.find_map(|first| {
            let second = (meant ^ before(&first)).to_le_bytes();
            Some(first + core::str::from_utf8(&second).ok()?)
        });
        [String::from(first) + second, other.unwrap()]
    }

    #[test]
    fn names_of_one_digest_are_told_apart() {
        let [one, other] = twins();
        assert_eq!(digest(one.as_bytes()), digest(other.as_bytes()));
        for [one, other] in [[&one, &other], [&other, &one]] {
            let mut map = ByName::<String, u32>::default();
            *map.or_default(one).unwrap() = 1;
            assert_eq!(map.get(other), None);
            assert_eq!(map.remove(other), None);
            *map.or_default(other).unwrap() = 2;
            assert_eq!((map.get(one), map.get(other)), (Some(&1), Some(&2)));
            assert_eq!(map.remove(one), Some(1));
            assert_eq!(map.get(one), None);
            assert_eq!(map.get_mut(other), Some(&mut 2));
            assert_eq!(map.or_default(other), Some(&mut 2));
            *map.or_default(one).unwrap() = 3;
            assert_eq!((map.get(one), map.get(other)), (Some(&3), Some(&2)));
            assert_eq!((map.remove(other), map.remove(one)), (Some(2), Some(3)));
            assert_eq!((map.get(one), map.get(other)), (None, None));
        }
    }
}
