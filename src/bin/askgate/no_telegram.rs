//! A build without the feature `telegram`: no host has a bridge.

use crate::args::Serve;
use crate::exit::Failure;
use crate::host::Host;

/// The bridge that there never is.
pub(crate) enum Bridge {}

/// What it never has to tell.
pub(crate) enum News {}

impl Bridge {
    /// None is ever wanted.
    pub(crate) async fn open(_args: &Serve) -> Result<Option<Self>, Failure> {
        Ok(None)
    }

    pub(crate) fn start(&mut self, _host: &mut Host) {
        match *self {}
    }

    pub(crate) async fn next(&mut self) -> News {
        match *self {}
    }

    pub(crate) fn take(&mut self, _host: &mut Host, news: News) -> Result<Vec<String>, Failure> {
        match news {}
    }

    pub(crate) fn hear(&mut self, _host: &mut Host) -> Result<bool, Failure> {
        match *self {}
    }

    pub(crate) async fn finish(&mut self, _host: &mut Host) {
        match *self {}
    }
}
