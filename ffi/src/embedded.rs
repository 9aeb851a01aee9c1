//! Without std: memory and the last resort come from the embedder, by hooks that the header documents.

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;
use core::panic::PanicInfo;

unsafe extern "C" {
    fn askgate_hook_alloc(size: usize, align: usize) -> *mut c_void;
    fn askgate_hook_free(memory: *mut c_void, size: usize, align: usize);
    fn askgate_hook_abort() -> !;
}

struct Hooks;

// SAFETY: the embedder's hooks do what the header asks of them, which is what this trait asks.
unsafe impl GlobalAlloc for Hooks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: defined by the embedder.
        unsafe { askgate_hook_alloc(layout.size(), layout.align()).cast() }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: defined by the embedder; the memory came from `askgate_hook_alloc` with this layout.
        unsafe { askgate_hook_free(memory.cast(), layout.size(), layout.align()) }
    }
}

#[global_allocator]
static ALLOCATOR: Hooks = Hooks;

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    // SAFETY: defined by the embedder; it does not return.
    unsafe { askgate_hook_abort() }
}
