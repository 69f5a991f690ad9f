//! Files that the user asks to be written with `--out`.

use std::path::Path;

use crate::exit::Failure;

/// Refuses a place where no file can be: its folder must exist, since making folders from a mistyped
/// path would hide the mistake.
pub(crate) fn check(out: &Path) -> Result<(), Failure> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::cannot_start(format!(
            "--out {}: the folder {} does not exist; make it first",
            out.display(),
            folder.display()
        )));
    }
    // A name that ends like a folder's can be no file's, even where nothing is.
    if out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(Failure::cannot_start(format!(
            "--out {}: is a folder; name a file",
            out.display()
        )));
    }
    Ok(())
}
