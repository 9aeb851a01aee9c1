//! The one way in: a handle checked, one call at a time, a panic turned into a code.

use crate::codes::{self, ASKGATE_OK, askgate_result};
use crate::fail::{ErrorRecord, Fail, askgate_error};
use crate::modal::view::askgate_control;
use crate::pointer::{Out, Places};
use crate::text::askgate_text;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};

/// What is behind a pointer that a caller holds.
pub(crate) struct Handle<T> {
    /// A call runs. Whoever sets it may use the inside.
    in_use: AtomicBool,
    inside: UnsafeCell<Inside<T>>,
}

struct Inside<T> {
    value: T,
    lent: Lent,
    error: ErrorRecord,
    poisoned: bool,
}

/// Memory that a caller borrows until the end of the next call that may change the handle.
#[derive(Default)]
pub(crate) struct Lent {
    texts: Vec<Box<str>>,
    numbers: Vec<Box<[u64]>>,
    controls: Vec<Box<[askgate_control]>>,
}

impl Lent {
    fn counts(&self) -> [usize; 3] {
        [self.texts.len(), self.numbers.len(), self.controls.len()]
    }

    /// Takes back the oldest, so many of each.
    fn end(&mut self, [texts, numbers, controls]: [usize; 3]) {
        self.texts.drain(..texts);
        self.numbers.drain(..numbers);
        self.controls.drain(..controls);
    }

    /// Lends text that was made for the caller.
    pub(crate) fn text(&mut self, text: String) -> askgate_text {
        self.texts.push(text.into_boxed_str());
        // Only now, since to move a box ends the pointers into it.
        self.texts.last().map_or(askgate_text::ABSENT, |text| askgate_text::of(text))
    }

    /// Lends text that the handle keeps at least until the end of its next change. Under test it is copied, so that a text
    /// used for too long is one that was freed.
    pub(crate) fn kept(&mut self, text: &str) -> askgate_text {
        if cfg!(feature = "test-hooks") { self.text(text.into()) } else { askgate_text::of(text) }
    }

    pub(crate) fn optional(&mut self, text: Option<&str>) -> askgate_text {
        text.map_or(askgate_text::ABSENT, |text| self.kept(text))
    }

    /// Lends text out of something that does not stay.
    pub(crate) fn copied(&mut self, text: Option<&str>) -> askgate_text {
        text.map_or(askgate_text::ABSENT, |text| self.text(text.into()))
    }

    pub(crate) fn controls(&mut self, controls: Vec<askgate_control>) -> *const askgate_control {
        self.controls.push(controls.into_boxed_slice());
        self.controls.last().map_or(core::ptr::null(), |controls| controls.as_ptr())
    }

    pub(crate) fn numbers(&mut self, numbers: Vec<u64>) -> askgate_ids {
        self.numbers.push(numbers.into_boxed_slice());
        let lent = self.numbers.last();
        askgate_ids {
            data: lent.map_or(core::ptr::null(), |ids| ids.as_ptr()),
            len: lent.map_or(0, |ids| ids.len()),
        }
    }
}

/// Numbers of prompts, borrowed from the handle as text is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_ids {
    /// The first number; not to be read where there is none.
    pub data: *const u64,
    /// How many.
    pub len: usize,
}

/// A type that callers hold by pointer.
pub(crate) trait Opaque: Sized {
    type Value;
    fn wrap(handle: Handle<Self::Value>) -> Self;
    fn handle(&self) -> &Handle<Self::Value>;
}

impl<T> Inside<T> {
    /// Runs a call that may change the value. What was borrowed stays until it has run, since it may be given to it.
    unsafe fn change<P: Places>(
        &mut self,
        to: P,
        run: impl FnOnce(&mut T, &mut Lent) -> Result<P::Results, Fail>,
    ) -> Result<(), Fail> {
        let Self { value, lent, error, poisoned } = self;
        let (borrowed, told) = (lent.counts(), mem::take(error));
        // SAFETY: as the caller's.
        let result = unsafe { call(to, || run(value, lent)) };
        lent.end(borrowed);
        drop(told);
        result.inspect_err(|fail| {
            *poisoned |= matches!(fail, Fail::Panic);
            *error = ErrorRecord::new(fail);
        })
    }
}

/// Says that callers hold a handle of that value by pointers to that type, a struct around it.
macro_rules! opaque {
    ($pointee:ident, $value:ty) => {
        impl crate::guard::Opaque for $pointee {
            type Value = $value;
            fn wrap(handle: Handle<$value>) -> Self {
                Self(handle)
            }
            fn handle(&self) -> &Handle<$value> {
                &self.0
            }
        }
    };
}
pub(crate) use opaque;

/// A call that may change the handle: what was borrowed from it ends.
pub(crate) unsafe fn change<O: Opaque, P: Places>(
    pointer: *const O,
    to: P,
    run: impl FnOnce(&mut O::Value, &mut Lent) -> Result<P::Results, Fail>,
) -> askgate_result {
    // SAFETY: NULL, or a handle that the caller vouches for, as for the places of the results.
    done(unsafe { enter(pointer).and_then(|mut inside| inside.get().change(to, run)) })
}

/// A call that may change two handles: what was borrowed from either ends, a panic poisons both, and both tell why it was
/// refused, unless the other is in use.
pub(crate) unsafe fn change_both<O: Opaque, Q: Opaque, P: Places>(
    pointer: *const O,
    other: *const Q,
    to: P,
    run: impl FnOnce(&mut O::Value, &mut Q::Value) -> Result<P::Results, Fail>,
) -> askgate_result {
    // SAFETY: NULL, or a handle that the caller vouches for, as for the places of the results.
    unsafe { change(pointer, (), |value, _| enter(other)?.get().change(to, |other, _| run(value, other))) }
}

/// A call that only looks: what was borrowed from the handle stays as it is.
pub(crate) unsafe fn look<O: Opaque, P: Places>(
    pointer: *const O,
    to: P,
    run: impl FnOnce(&O::Value) -> Result<P::Results, Fail>,
) -> askgate_result {
    // SAFETY: NULL, or a handle that the caller vouches for, as for the places of the results.
    done(unsafe {
        enter(pointer).and_then(|mut inside| {
            let Inside { value, poisoned, .. } = inside.get();
            call(to, || run(value)).inspect_err(|fail| *poisoned |= matches!(fail, Fail::Panic))
        })
    })
}

/// Tells why the last changing call was refused.
pub(crate) unsafe fn error<O: Opaque>(pointer: *const O, to: *mut askgate_error) -> askgate_result {
    // SAFETY: NULL, or a handle that the caller vouches for, as for the place of the result.
    done(unsafe {
        enter(pointer).and_then(|mut inside| call(Out::required(to), || Ok(inside.get().error.lend())))
    })
}

/// A call without a handle.
pub(crate) unsafe fn plain<P: Places>(
    to: P,
    run: impl FnOnce() -> Result<P::Results, Fail>,
) -> askgate_result {
    // SAFETY: as the caller's.
    done(unsafe { call(to, run) })
}

/// Makes a handle.
pub(crate) unsafe fn new<O: Opaque>(
    abi: u32,
    to: *mut *mut O,
    make: impl FnOnce() -> Result<O::Value, Fail>,
) -> askgate_result {
    if abi > codes::ASKGATE_ABI_VERSION {
        return Fail::LibraryOlder.result();
    }
    if abi < codes::ASKGATE_ABI_VERSION_MIN {
        return Fail::HeaderOlder.result();
    }
    // SAFETY: the caller vouches for the place of the result.
    unsafe {
        plain(Out::required(to), || {
            let inside = Inside {
                value: make()?,
                lent: Lent::default(),
                error: ErrorRecord::default(),
                poisoned: false,
            };
            let handle = Handle { in_use: AtomicBool::new(false), inside: UnsafeCell::new(inside) };
            Ok(Box::into_raw(Box::new(O::wrap(handle))))
        })
    }
}

/// Takes a handle back, unless a call on it runs. A poisoned one is taken too.
pub(crate) unsafe fn free<O: Opaque>(pointer: *mut O) -> askgate_result {
    // SAFETY: NULL, or a handle that the caller vouches for.
    let Some(opaque) = (unsafe { pointer.as_ref() }) else { return ASKGATE_OK };
    if opaque.handle().in_use.swap(true, Ordering::Acquire) {
        return Fail::InUse.result();
    }
    // SAFETY: made by `Box::into_raw` in `new`, given back once, and no call on it runs.
    let handle = unsafe { Box::from_raw(pointer) };
    done(catch(|| {
        drop(handle);
        Ok(())
    }))
}

/// The inside of a handle, while a call runs.
struct Entered<'h, T>(&'h Handle<T>);

impl<T> Entered<'_, T> {
    fn get(&mut self) -> &mut Inside<T> {
        // SAFETY: `in_use` was found unset and set by this call, so no other reference exists while this one does.
        unsafe { &mut *self.0.inside.get() }
    }
}

impl<T> Drop for Entered<'_, T> {
    fn drop(&mut self) {
        self.0.in_use.store(false, Ordering::Release);
    }
}

unsafe fn enter<'h, O: Opaque + 'h>(pointer: *const O) -> Result<Entered<'h, O::Value>, Fail> {
    // SAFETY: NULL, or a handle that the caller vouches for.
    let handle = unsafe { pointer.as_ref() }.ok_or(Fail::Null)?.handle();
    if handle.in_use.swap(true, Ordering::Acquire) {
        return Err(Fail::InUse);
    }
    let mut entered = Entered(handle);
    if entered.get().poisoned { Err(Fail::Poisoned) } else { Ok(entered) }
}

/// Checks the places of the results, runs the call, and writes the results if it succeeded.
unsafe fn call<P: Places>(to: P, run: impl FnOnce() -> Result<P::Results, Fail>) -> Result<(), Fail> {
    catch(|| {
        to.check()?;
        let results = run()?;
        // SAFETY: checked for NULL; the caller vouches for the rest.
        unsafe { to.write(results) };
        Ok(())
    })
}

fn done(result: Result<(), Fail>) -> askgate_result {
    result.map_or_else(|fail| fail.result(), |()| ASKGATE_OK)
}

#[cfg(any(feature = "std", test))]
fn catch(run: impl FnOnce() -> Result<(), Fail>) -> Result<(), Fail> {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        // What a panic carries may panic again when it is dropped.
        let _ = catch_unwind(AssertUnwindSafe(move || drop(payload)));
        Err(Fail::Panic)
    })
}

#[cfg(not(any(feature = "std", test)))]
fn catch(run: impl FnOnce() -> Result<(), Fail>) -> Result<(), Fail> {
    run()
}
