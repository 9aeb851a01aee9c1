//! A map by names that peers choose.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use core::borrow::Borrow;

/// Ordered by a digest of the name, so that the search compares numbers, and one name in the end. Digests may be equal, by
/// chance or by design: of such names the first has the place and the others lie apart, ordered by themselves, so that no
/// choice of names makes the map slow (spec 11.3).
#[derive(Debug)]
pub(super) struct ByName<K, V> {
    first: BTreeMap<u64, (K, V)>,
    others: BTreeMap<K, V>,
}

impl<K, V> Default for ByName<K, V> {
    fn default() -> Self {
        Self { first: BTreeMap::new(), others: BTreeMap::new() }
    }
}

/// A name, whether owned or not.
pub(super) trait Name: AsRef<str> + AsRef<[u8]> {}

impl<N: AsRef<str> + AsRef<[u8]> + ?Sized> Name for N {}

impl<K: Ord + Clone + Borrow<str> + Name, V: Default> ByName<K, V> {
    pub(super) fn get<N: Name + ?Sized>(&self, name: &N) -> Option<&V> {
        self.get_key_value(name).map(|(_, value)| value)
    }

    pub(super) fn get_key_value<N: Name + ?Sized>(&self, name: &N) -> Option<(&K, &V)> {
        match self.first.get(&digest(name)) {
            Some((key, value)) if same(key, name) => Some((key, value)),
            Some(_) | None => self.others.get_key_value::<str>(name.as_ref()),
        }
    }

    pub(super) fn get_mut<N: Name + ?Sized>(&mut self, name: &N) -> Option<&mut V> {
        match self.first.get_mut(&digest(name)) {
            Some((key, value)) if same(key, name) => Some(value),
            Some(_) | None => self.others.get_mut::<str>(name.as_ref()),
        }
    }

    /// The value of a name, which is added if it is not there.
    pub(super) fn or_default(&mut self, name: &K) -> &mut V {
        match self.first.entry(digest(name)) {
            Entry::Occupied(first) if same(&first.get().0, name) => &mut first.into_mut().1,
            Entry::Vacant(first) if !self.others.contains_key::<str>(name.borrow()) => {
                &mut first.insert((name.clone(), V::default())).1
            }
            Entry::Occupied(_) | Entry::Vacant(_) => self.others.entry(name.clone()).or_default(),
        }
    }

    pub(super) fn remove<N: Name + ?Sized>(&mut self, name: &N) -> Option<V> {
        match self.first.entry(digest(name)) {
            Entry::Occupied(first) if same(&first.get().0, name) => Some(first.remove().1),
            Entry::Occupied(_) | Entry::Vacant(_) => self.others.remove::<str>(name.as_ref()),
        }
    }
}

/// Compares bytes, which need no second check that they are text.
fn same(one: &(impl Name + ?Sized), other: &(impl Name + ?Sized)) -> bool {
    AsRef::<[u8]>::as_ref(one) == AsRef::<[u8]>::as_ref(other)
}

/// Few names share one; nothing else is asked of it.
fn digest(name: &(impl Name + ?Sized)) -> u64 {
    let name: &[u8] = name.as_ref();
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
        assert_eq!(digest(&one), digest(&other));
        for [one, other] in [[&one, &other], [&other, &one]] {
            let mut map = ByName::<String, u32>::default();
            *map.or_default(one) = 1;
            assert_eq!(map.get(other), None);
            assert_eq!(map.remove(other), None);
            *map.or_default(other) = 2;
            assert_eq!((map.get(one), map.get(other)), (Some(&1), Some(&2)));
            assert_eq!(map.remove(one), Some(1));
            assert_eq!(map.get(one), None);
            assert_eq!(map.get_mut(other), Some(&mut 2));
            assert_eq!(*map.or_default(other), 2);
            *map.or_default(one) = 3;
            assert_eq!((map.get(one), map.get(other)), (Some(&3), Some(&2)));
            assert_eq!((map.remove(other), map.remove(one)), (Some(2), Some(3)));
            assert_eq!((map.get(one), map.get(other)), (None, None));
        }
    }
}
