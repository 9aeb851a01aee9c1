//! Where the host's socket is, and who may be behind it.

use crate::exit::Failure;
use askgate::error::Code;
use rustix::fs::{FlockOperation, Mode, flock};
use rustix::process::{getuid, umask};
use std::fs::{self, DirBuilder, File};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// The socket's path, and its folder where that is ours to make and to keep private.
struct Place {
    path: PathBuf,
    folder: Option<PathBuf>,
}

fn place() -> Place {
    if let Some(path) = std::env::var_os("ASKGATE_SOCKET").filter(|path| !path.is_empty()) {
        return Place { path: path.into(), folder: None };
    }
    // A path that is not absolute is to be ignored (XDG Base Directory Specification).
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = match runtime {
        Some(runtime) => runtime.join("askgate"),
        None => std::env::temp_dir().join(format!("askgate-{}", getuid().as_raw())),
    };
    Place { path: folder.join("askgate.sock"), folder: Some(folder) }
}

/// A folder that somebody else made, or may write to, could hold somebody else's socket.
fn check_folder(folder: &Path) -> Result<(), Failure> {
    let found = fs::symlink_metadata(folder)
        .map_err(|error| Failure::io(&format!("{} cannot be looked at", folder.display()), &error))?;
    if found.is_dir() && found.uid() == getuid().as_raw() && found.mode() & 0o077 == 0 {
        return Ok(());
    }
    let sentence =
        format!("{} must be a folder of yours that nobody else may enter (mode 700).", folder.display());
    Err(Failure::error(Code::Forbidden, sentence))
}

/// The path of a socket that may have a host behind it; `None` if there is no such file.
pub(crate) fn existing() -> Result<Option<PathBuf>, Failure> {
    let Place { path, folder } = place();
    if fs::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    if let Some(folder) = folder {
        check_folder(&folder)?;
    }
    Ok(Some(path))
}

/// The host's socket; the file goes when it is dropped.
pub(crate) struct Socket {
    path: PathBuf,
    /// Device and inode of the file that we made.
    made: (u64, u64),
}

impl Socket {
    /// Listens for nobody but ourselves. A socket that a killed host left behind is replaced.
    ///
    /// # Errors
    /// A failure where a host is running already, or something else has the name.
    pub(crate) fn listen() -> Result<(Self, UnixListener), Failure> {
        let Place { path, folder } = place();
        if let Some(folder) = &folder {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|error| Failure::io(&format!("{} cannot be made", folder.display()), &error))?;
            check_folder(folder)?;
        }
        let _turn = take_turn(&path)?;
        remove_stale(&path)?;
        let before = umask(Mode::from_raw_mode(0o177));
        let listener = UnixListener::bind(&path);
        umask(before);
        let failed = |error| Failure::io(&format!("{} cannot be listened on", path.display()), &error);
        let listener = listener.map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let made = fs::symlink_metadata(&path).map_err(failed)?;
        Ok((Self { made: (made.dev(), made.ino()), path }, listener))
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // Not one that another host has put in its place.
        let found = fs::symlink_metadata(&self.path);
        if found.is_ok_and(|found| (found.dev(), found.ino()) == self.made) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Two hosts that start at once look and replace one after the other: the folder is the lock, so that no file is left.
fn take_turn(path: &Path) -> Result<File, Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::io(&format!("{} cannot be opened", folder.display()), &error);
    let lock = File::open(folder).map_err(failed)?;
    for _ in 0..50 {
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(lock),
            Err(_) => sleep(Duration::from_millis(20)),
        }
    }
    Err(Failure::error(Code::Unavailable, format!("{} is locked by another program.", folder.display())))
}

fn remove_stale(path: &Path) -> Result<(), Failure> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    let shown = path.display();
    if !found.file_type().is_socket() {
        return Err(Failure::error(Code::Unavailable, format!("{shown} is in the way and is no socket.")));
    }
    match UnixStream::connect(path) {
        Ok(_) => Err(Failure::error(Code::Unavailable, format!("A host is running already at {shown}."))),
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path)
            .map_err(|error| Failure::io(&format!("The stale socket {shown} cannot be removed"), &error)),
        Err(error) => Err(Failure::io(&format!("{shown} is in the way"), &error)),
    }
}
