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

impl<K: Ord + Clone + Borrow<str> + PartialEq<str>, V: Default> ByName<K, V> {
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_empty() && self.others.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Option<&V> {
        self.get_key_value(name).map(|(_, value)| value)
    }

    pub(super) fn get_key_value(&self, name: &str) -> Option<(&K, &V)> {
        match self.first.get(&digest(name)) {
            Some((key, value)) if *key == *name => Some((key, value)),
            Some(_) | None => self.others.get_key_value(name),
        }
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        match self.first.get_mut(&digest(name)) {
            Some((key, value)) if *key == *name => Some(value),
            Some(_) | None => self.others.get_mut(name),
        }
    }

    /// The value of a name, which is added if it is not there.
    pub(super) fn or_default(&mut self, name: &K) -> &mut V {
        let text = name.borrow();
        match self.first.entry(digest(text)) {
            Entry::Occupied(first) if first.get().0 == *text => &mut first.into_mut().1,
            Entry::Vacant(first) if !self.others.contains_key(text) => {
                &mut first.insert((name.clone(), V::default())).1
            }
            Entry::Occupied(_) | Entry::Vacant(_) => self.others.entry(name.clone()).or_default(),
        }
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<V> {
        match self.first.entry(digest(name)) {
            Entry::Occupied(first) if first.get().0 == *name => Some(first.remove().1),
            Entry::Occupied(_) | Entry::Vacant(_) => self.others.remove(name),
        }
    }
}

/// Few names share one; nothing else is asked of it.
fn digest(name: &str) -> u64 {
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let length = name.len() as u64;
    let digest = words.iter().fold(length, |digest, word| mix(digest, u64::from_le_bytes(*word)));
    mix(digest, rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

const fn mix(digest: u64, word: u64) -> u64 {
    let spread = (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread ^ (spread >> 32)
}
