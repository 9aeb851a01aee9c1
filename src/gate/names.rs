//! A map by names that peers choose.

use crate::ordered::Map;
use crate::text::{digest, is_same};
use alloc::vec::Vec;

/// How many names have a place together.
const WAYS: usize = 4;

/// By a digest of the name a few places, of which it takes a free one. Names that find none lie apart in an order: few do
/// by chance, and of those that a peer chooses all may, so that no choice of names makes the map slow (spec 11.3).
#[derive(Debug)]
pub(super) struct ByName<K, V> {
    /// As many as a power of two, or none.
    places: Vec<[Option<(K, V)>; WAYS]>,
    /// How many names have a place.
    placed: usize,
    others: Map<K, V>,
}

impl<K, V> Default for ByName<K, V> {
    fn default() -> Self {
        Self { places: Vec::new(), placed: 0, others: Map::new() }
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
        let digest = digest(name);
        if let Some(ways) = self.places.get(self.place(digest)) {
            for (key, value) in ways.iter().flatten() {
                if is_same(key.as_ref(), name) {
                    return Some((key, value));
                }
            }
        }
        self.others.get_by(digest, |key| key.as_ref().cmp(name))
    }

    pub(super) fn get_mut<N: Name + ?Sized>(&mut self, name: &N) -> Option<&mut V> {
        let name = name.as_ref();
        let digest = digest(name);
        let place = self.place(digest);
        if let Some(ways) = self.places.get_mut(place) {
            for (key, value) in ways.iter_mut().flatten() {
                if is_same(key.as_ref(), name) {
                    return Some(value);
                }
            }
        }
        self.others.get_mut_by(digest, |key| key.as_ref().cmp(name))
    }

    /// The value of a name, which is added if it is not there: there always is one.
    pub(super) fn or_default(&mut self, name: &K) -> Option<&mut V> {
        if self.get(name).is_none() {
            if self.placed * 8 >= self.places.len() * WAYS * 5 {
                self.resize((self.places.len() * 2).max(1));
            }
            self.put(name.clone(), V::default());
        }
        self.get_mut(name)
    }

    pub(super) fn remove<N: Name + ?Sized>(&mut self, name: &N) -> Option<V> {
        let name = name.as_ref();
        let digest = digest(name);
        let place = self.place(digest);
        let mut near = self.places.get_mut(place).into_iter().flatten();
        let is = |way: &&mut Option<(K, V)>| way.as_ref().is_some_and(|(key, _)| is_same(key.as_ref(), name));
        let Some((_, value)) = near.find(is).and_then(Option::take) else {
            return self.others.remove_by(digest, |key| key.as_ref().cmp(name));
        };
        self.placed -= 1;
        // A burst must not hold memory for ever.
        if self.placed * 8 < self.places.len() * WAYS && self.places.len() > 8 {
            self.resize(self.places.len() / 2);
        }
        Some(value)
    }

    /// Which places are a name's.
    fn place(&self, digest: u64) -> usize {
        digest as usize & self.places.len().wrapping_sub(1)
    }

    /// Adds a name that is not there.
    fn put(&mut self, name: K, value: V) {
        let digest = digest(name.as_ref());
        let place = self.place(digest);
        match self.places.get_mut(place).into_iter().flatten().find(|way| way.is_none()) {
            Some(way) => {
                *way = Some((name, value));
                self.placed += 1;
            }
            None => {
                let compare = |key: &K| key.as_ref().cmp(name.as_ref());
                if let Some(other) = self.others.or_default_by(digest, compare, || name.clone()) {
                    *other = value;
                }
            }
        }
    }

    /// Moves the names that have a place. The others stay apart, so that what a change of size costs is paid for by the
    /// names that were placed or removed since the last, whoever chose them all.
    fn resize(&mut self, places: usize) {
        let mut new = Vec::new();
        new.resize_with(places, || [const { None }; WAYS]);
        self.placed = 0;
        for (name, value) in core::mem::replace(&mut self.places, new).into_iter().flatten().flatten() {
            self.put(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::mix;
    use alloc::collections::BTreeMap;
    use alloc::string::String;

    /// Two names of one digest, as a peer may choose them.
    fn twins() -> [String; 2] {
        const LAST: &str = ":the-end";
        let word = |text: &str| u64::from_le_bytes(text.as_bytes().try_into().unwrap());
        let before = |first: &str| mix(24, word(first));
        let (first, second) = ("surface:", "........");
        let meant = before(first) ^ word(second);
        let mut others = (10_000_000..).map(|n: u64| alloc::format!("{n}"));
        let other = others.find_map(|first| {
            let second = (meant ^ before(&first)).to_le_bytes();
            Some(first + core::str::from_utf8(&second).ok()? + LAST)
        });
        [String::from(first) + second + LAST, other.unwrap()]
    }

    #[test]
    fn names_of_one_digest_are_told_apart() {
        let [one, other] = twins();
        assert_eq!(digest(one.as_bytes()), digest(other.as_bytes()));
        let mut map = ByName::<String, u32>::default();
        *map.or_default(&one).unwrap() = 1;
        assert_eq!(map.get(&other), None);
        assert_eq!(map.remove(&other), None);
        *map.or_default(&other).unwrap() = 2;
        assert_eq!((map.get(&one), map.get(&other)), (Some(&1), Some(&2)));
        assert_eq!(map.remove(&one), Some(1));
        assert_eq!(map.get(&one), None);
        assert_eq!(map.get_mut(&other), Some(&mut 2));
    }

    /// Names of which some crowd into one place, however many places there are.
    fn names() -> Vec<String> {
        let all = || (0..).map(|n: u32| alloc::format!("surface:{n}"));
        let crowd = all().filter(|name| digest(name.as_bytes()) % 4_096 == 7).take(12);
        crowd.chain(all().take(100)).collect()
    }

    proptest::proptest! {
        #[test]
        fn it_is_a_map(steps in proptest::collection::vec((0..3_u8, 0..112_usize), 0..400)) {
            let names = names();
            let mut map = ByName::<String, usize>::default();
            let mut model = BTreeMap::new();
            for (turn, (step, name)) in steps.into_iter().enumerate() {
                let name = &names[name];
                match step {
                    0 => {
                        *map.or_default(name).unwrap() += turn;
                        *model.entry(name.clone()).or_default() += turn;
                    }
                    1 => assert_eq!(map.remove(name), model.remove(name)),
                    _ => assert_eq!(map.get_mut(name), model.get_mut(name)),
                }
                for name in &names {
                    assert_eq!(map.get_key_value(name), model.get_key_value(name));
                }
            }
        }
    }

    #[test]
    fn a_crowd_does_not_make_it_grow_and_a_burst_leaves_little() {
        let mut map = ByName::<String, usize>::default();
        let names = names();
        names.iter().take(12).for_each(|name| *map.or_default(name).unwrap() = 1);
        assert!(map.places.len() <= 2 && !map.others.is_empty());
        let many: Vec<_> = (0..10_000).map(|n| alloc::format!("{n}")).collect();
        many.iter().for_each(|name| *map.or_default(name).unwrap() = 1);
        assert!(map.others.len() < 2_000, "{}", map.others.len());
        many.iter().for_each(|name| assert_eq!(map.remove(name), Some(1)));
        assert_eq!((map.places.len(), map.others.len() + map.placed), (8, 12));
    }

    /// A name that counts how often one is copied, as each is that is put apart.
    #[derive(Debug)]
    struct Counted(String);

    static COPIES: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0);

    impl Clone for Counted {
        fn clone(&self) -> Self {
            COPIES.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
            Self(self.0.clone())
        }
    }

    impl AsRef<[u8]> for Counted {
        fn as_ref(&self) -> &[u8] {
            self.0.as_bytes()
        }
    }

    #[test]
    fn a_crowd_does_not_make_a_change_of_size_dear() {
        let all = || (0..).map(|n: u32| alloc::format!("surface:{n}"));
        let crowd = all().filter(|name| digest(name.as_bytes()) % 64 == 7).take(2_000).map(Counted);
        let mut map = ByName::<Counted, u32>::default();
        crowd.for_each(|name| *map.or_default(&name).unwrap() = 1);
        let few: Vec<_> = (0..60).map(|n| Counted(alloc::format!("{n}"))).collect();
        for _ in 0..100 {
            few.iter().for_each(|name| *map.or_default(name).unwrap() = 2);
            few.iter().for_each(|name| assert_eq!(map.remove(name), Some(2)));
        }
        // Twice the names that were added, and some that changes of size put apart.
        assert!(COPIES.load(core::sync::atomic::Ordering::Relaxed) < 2 * (2_000 + 6_000) + 2_000);
    }
}
