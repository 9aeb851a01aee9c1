//! The mirror.

use crate::bridge::{counted, fail_request, give_text, lend_text, with_input};
use crate::objects::Objects;
use alloc::string::String;
use askgate::dialect::typed::{PageMirror, apply_push};
use askgate::json::ToJson;

static MIRRORS: Objects<PageMirror> = Objects::new();

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_new() -> i32 {
    MIRRORS.add(PageMirror::new())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_free(mirror: usize) {
    MIRRORS.remove(mirror);
}

/// Takes the params of an `askUserEvent`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_apply(mirror: usize, params: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| {
        with_input(|input| match apply_push(mirror, input.text(params)) {
            Ok(()) => 0,
            Err(error) => fail_request(&error),
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_reset(mirror: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| {
        mirror.reset();
        0
    })
}

/// Gives the head prompt of a surface as JSON, and 1, or 0 if there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_head(mirror: usize, surface: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| {
        with_input(|input| match mirror.head(input.text(surface)) {
            Some((_, prompt)) => {
                lend_text(prompt);
                1
            }
            None => 0,
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_count(mirror: usize, surface: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| with_input(|input| counted(mirror.count(input.text(surface)))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_len(mirror: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| counted(mirror.len()))
}

/// Gives all pending prompts as a JSON list.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_pending(mirror: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| {
        let mut list = String::from("[");
        for (_, prompt) in mirror.pending() {
            if list.len() > 1 {
                list.push(',');
            }
            list.push_str(&prompt.content);
        }
        list.push(']');
        give_text(list);
        0
    })
}

/// Gives the surfaces with pending prompts as a JSON list of `{surface, count}`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_mirror_surfaces(mirror: usize) -> i32 {
    MIRRORS.with(mirror, |mirror| {
        let mut list = String::from("[");
        for (surface, count) in mirror.surfaces() {
            list.push_str(if list.len() > 1 { ",{\"surface\":" } else { "{\"surface\":" });
            surface.write_json(&mut list);
            list.push_str(",\"count\":");
            count.write_json(&mut list);
            list.push('}');
        }
        list.push(']');
        give_text(list);
        0
    })
}
