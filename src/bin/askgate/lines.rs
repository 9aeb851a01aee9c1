//! Lines from a stream, in bounded memory.

use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Reads a stream line by line. Of a line over the bound only the bound and one byte more are kept, which is enough for
/// the core to call it too long; the rest is skipped up to the line's end.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    most: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Reads lines of at most `most` bytes.
    pub(crate) fn new(reader: R, most: usize) -> Self {
        Self { reader: BufReader::new(reader), line: Vec::new(), most }
    }

    /// The next line without its end; `None` at the end of the stream. A last line needs no end. A call that is dropped
    /// loses nothing.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let read = self.reader.fill_buf().await?;
            if read.is_empty() {
                let last = std::mem::take(&mut self.line);
                return Ok((!last.is_empty()).then_some(last));
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let part = read.get(..end.unwrap_or(read.len())).unwrap_or_default();
            let room = (self.most + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(part.get(..room).unwrap_or(part));
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(std::mem::take(&mut self.line)));
            }
        }
    }
}
