//! The mirror: a page's copy of what is pending.

use crate::codes::askgate_result;
use crate::fail::{Fail, askgate_error};
use crate::guard::{self, Handle, askgate_ids, opaque};
use crate::pointer::{Out, flagged};
use crate::text::askgate_text;
use askgate_core::dialect::typed::{PageMirror, apply_push};
use askgate_core::id::PromptId;

/// A copy of what is pending, kept from pushes and snapshots. Made by `askgate_mirror_new`.
pub struct askgate_mirror(Handle<PageMirror>);

opaque!(askgate_mirror, PageMirror);

/// == The mirror ==
///
/// Makes an empty mirror. `abi` is `ASKGATE_ABI_VERSION`. Writes the mirror, which is the caller's to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_new(abi: u32, mirror: *mut *mut askgate_mirror) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::new(abi, mirror, || Ok(PageMirror::new())) }
}

/// Frees a mirror, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
/// call on it runs in another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_free(mirror: *mut askgate_mirror) -> askgate_result {
    // SAFETY: the header says what the pointer must be; NULL is taken.
    unsafe { guard::free(mirror) }
}

/// Tells why the last call that takes the mirror without `const` was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_error(
    mirror: *const askgate_mirror,
    error: *mut askgate_error,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::error(mirror, error) }
}

/// Takes the params of an `askUserEvent`, as JSON, of kind `shown`, `resolved` or `snapshot`. They may come in any order
/// on one connection, and twice: nothing that has ended comes back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_apply(
    mirror: *mut askgate_mirror,
    params: askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(mirror, (), |mirror, _| {
            apply_push(mirror, params.required()?)?;
            Ok(())
        })
    }
}

/// Forgets everything. For a new connection: reset, then ask for a snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_reset(mirror: *mut askgate_mirror) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(mirror, (), |mirror, _| {
            mirror.reset();
            Ok(())
        })
    }
}

/// Writes the prompt of a surface that is to be shown now, the first that was asked, and its `AskUserRequest` as JSON.
/// Where there is none, `has_head` is false, `prompt` 0 and `request` absent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_head(
    mirror: *mut askgate_mirror,
    surface: askgate_text,
    has_head: *mut bool,
    prompt: *mut u64,
    request: *mut askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        let id = (Out::required(has_head), Out::required(prompt));
        guard::change(mirror, (id, Out::required(request)), |mirror, lent| {
            let head = mirror.head(surface.required()?);
            Ok((flagged(head.map(|(id, _)| id.0)), lent.optional(head.map(|(_, json)| &**json))))
        })
    }
}

/// Writes how many prompts of a surface are pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_count(
    mirror: *const askgate_mirror,
    surface: askgate_text,
    count: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::look(mirror, Out::required(count), |mirror| Ok(mirror.count(surface.required()?))) }
}

/// Writes the numbers of all pending prompts, in ask order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_pending(
    mirror: *mut askgate_mirror,
    prompts: *mut askgate_ids,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(mirror, Out::required(prompts), |mirror, lent| {
            Ok(lent.numbers(mirror.pending().map(|(id, _)| id.0).collect()))
        })
    }
}

/// Writes the surface of a pending prompt, and its `AskUserRequest` as JSON. Refused with `not_found` if it is not
/// pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_mirror_request(
    mirror: *mut askgate_mirror,
    prompt: u64,
    surface: *mut askgate_text,
    request: *mut askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(mirror, (Out::required(surface), Out::required(request)), |mirror, lent| {
            let held = mirror.get(PromptId(prompt)).ok_or(Fail::NotFound)?;
            Ok((lent.kept(&held.surface), lent.kept(&held.content)))
        })
    }
}
