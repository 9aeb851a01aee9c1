//! What waits to be written to one client, in bounded memory.

use std::cell::RefCell;
use tokio::sync::Notify;

/// Over so many bytes nothing more is read from the client: it gets no replies faster than it takes them. It is far more
/// than pushes amount to while a client writes a batch of requests, which it may do before it reads again.
const HOLD: usize = 8 << 20;

/// Over so many bytes the client is disconnected: pushes come whether or not it reads. What makes it go over is still
/// kept, so that a single long line never counts against it.
const MOST: usize = 16 << 20;

/// The lines that wait for one client.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    state: RefCell<State>,
    added: Notify,
    written: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<u8>,
    /// Bytes that were taken and are being written.
    taken: usize,
    closed: bool,
}

impl State {
    fn behind(&self) -> usize {
        self.waiting.len() + self.taken
    }
}

impl Outgoing {
    /// Adds a line. Gives false if the client is too far behind to get it.
    pub(super) fn add(&self, line: &str) -> bool {
        let mut state = self.state.borrow_mut();
        if state.behind() > MOST {
            return false;
        }
        state.waiting.reserve(line.len() + 1);
        state.waiting.extend_from_slice(line.as_bytes());
        state.waiting.push(b'\n');
        self.added.notify_one();
        true
    }

    /// No more lines will come.
    pub(super) fn close(&self) {
        self.state.borrow_mut().closed = true;
        self.added.notify_one();
    }

    /// All that waits, once something does; `None` once it is closed and written. What was taken before is written.
    pub(super) async fn take(&self) -> Option<Vec<u8>> {
        loop {
            {
                let mut state = self.state.borrow_mut();
                state.taken = state.waiting.len();
                self.written.notify_one();
                if !state.waiting.is_empty() {
                    return Some(std::mem::take(&mut state.waiting));
                }
                if state.closed {
                    return None;
                }
            }
            self.added.notified().await;
        }
    }

    /// Waits until the client is not far behind.
    pub(super) async fn caught_up(&self) {
        while self.state.borrow().behind() > HOLD {
            self.written.notified().await;
        }
    }
}
