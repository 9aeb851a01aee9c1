//! The work of `tests/c/cycle.c` without the interface. It is in no release and in no header.

use crate::text::askgate_text;
use askgate_core::endpoint::{Authority, Endpoint, Output};
use askgate_core::gate::Poll;
use askgate_core::time::Millis;

/// Gives an endpoint lines by turns from an asker and from a page, polls all outputs after each, and gives how many bytes
/// they had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_test_cycles(lines: *const askgate_text, count: usize) -> u64 {
    let mut endpoint = Endpoint::default();
    let page = Authority { observer: true, ..Authority::default() };
    let both = [endpoint.connect(Millis(0), Authority::default()), endpoint.connect(Millis(0), page)];
    let mut bytes = 0;
    for n in 0..count {
        // SAFETY: the caller vouches for the lines.
        let line = unsafe { lines.add(n).read().bytes() };
        let (Some(Ok(connection)), Ok(line)) = (both.get(n % 2), line) else { return 0 };
        let now = Millis(n as u64);
        if endpoint.receive(now, *connection, line).is_err() {
            return 0;
        }
        while let Poll::Event(output) = endpoint.poll(now) {
            if let Output::Send { line, .. } = output {
                bytes += line.len() as u64;
            }
        }
    }
    bytes
}
