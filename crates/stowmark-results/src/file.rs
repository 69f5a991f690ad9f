//! Reading and writing result files. A write is whole or not at all: temporary name, fsync, rename.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{RunResult, SCHEMA};

/// Why a result file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The folder or file refused.
    #[error("cannot write the result {}: {source}; give another place with --out FILE", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not there or refuses.
    #[error("cannot read the result {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is of another kind altogether.
    #[error("{} is no Stowmark result: it is no JSON", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
    },
    /// The JSON is broken, or its values have other types.
    #[error("{} is no Stowmark result, or a damaged one: {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// The file is something else.
    #[error("{} is no Stowmark result: {}, expected \"{SCHEMA}\"", path.display(), its_schema(found))]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// What its `schema` says.
        found: String,
    },
}

fn its_schema(found: &str) -> String {
    if found.is_empty() { "it names no schema".into() } else { format!("its schema is {found:?}") }
}

/// Writes the result in place of what was there; after a crash the file is the old or the new one.
///
/// # Errors
///
/// [`FileError::Write`]; the old file is then untouched.
pub fn write(path: &Path, result: &RunResult) -> Result<(), FileError> {
    write_whole(path, result).map_err(|source| FileError::Write { path: path.into(), source })
}

/// Sees whether a result could be written there, and leaves what is there as it is.
///
/// # Errors
///
/// [`FileError::Write`].
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    match temporary_in(folder_of(path)) {
        Ok(_) => Ok(()),
        Err(source) => Err(FileError::Write { path: path.into(), source }),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn write_whole(path: &Path, result: &RunResult) -> io::Result<()> {
    let folder = folder_of(path);
    let mut temporary = temporary_in(folder)?;
    let mut writer = BufWriter::new(temporary.as_file_mut());
    serde_json::to_writer_pretty(&mut writer, result)?;
    writer.write_all(b"\n")?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// A file under a temporary name. Made by hand, so that it is as readable as any file of the user's,
/// and so that an error does not speak of a name that nobody gave.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile<File>> {
    tempfile::Builder::new().prefix(".stowmark-").make_in(folder, |path| File::create_new(path))
}

/// Reads a result.
///
/// # Errors
///
/// [`FileError`], naming the file and, where it is damaged, the place.
pub fn read(path: &Path) -> Result<RunResult, FileError> {
    let text =
        std::fs::read(path).map_err(|source| FileError::Read { path: path.into(), source })?;
    let result: RunResult =
        serde_json::from_slice(&text).map_err(|source| unreadable(path, &text, source))?;
    if result.schema != SCHEMA {
        return Err(FileError::OtherSchema { path: path.into(), found: result.schema });
    }
    Ok(result)
}

/// Where a parser stopped helps with a result that was damaged, but not with a file that never was one.
fn unreadable(path: &Path, text: &[u8], source: serde_json::Error) -> FileError {
    let path = path.into();
    let is_object = text.trim_ascii_start().starts_with(b"{");
    if !is_object && serde_json::from_slice::<serde::de::IgnoredAny>(text).is_err() {
        return FileError::NotJson { path };
    }
    FileError::Damaged { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_survive_reading_and_rewriting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        std::fs::write(
            &path,
            r#"{"schema":"stowmark.result/1","later":{"a":1},"cases":[{"id":"put-1k","new":2}],
               "status":"paused"}"#,
        )
        .unwrap();
        let result = read(&path).unwrap();
        write(&path, &result).unwrap();
        let json: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(json["later"]["a"], 1);
        assert_eq!(json["cases"][0]["new"], 2);
        assert_eq!(json["status"], "paused");
    }

    #[test]
    fn numbers_past_two_to_the_53_survive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        let mut result = RunResult { schema: SCHEMA.into(), ..Default::default() };
        let bytes = (1 << 53) + 1;
        result.cases.push(crate::Case { size_bytes: bytes, ..Default::default() });
        write(&path, &result).unwrap();
        assert_eq!(read(&path).unwrap().cases[0].size_bytes, bytes);
    }

    #[test]
    fn a_refused_write_names_the_file_and_the_reason_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/r.json");
        let message = write(&path, &RunResult::default()).unwrap_err().to_string();
        assert!(message.contains("missing/r.json: No such file"), "{message}");
        assert!(!message.contains("at path"), "{message}");
    }

    #[test]
    fn a_damaged_file_is_named_with_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        std::fs::write(&path, "{\n  \"schema\": 7 }").unwrap();
        let message = read(&path).unwrap_err().to_string();
        assert!(
            message.contains("r.json is no Stowmark result") && message.contains("line 2 column"),
            "{message}"
        );
    }

    #[test]
    fn a_file_of_another_kind_is_told_so_without_the_parsers_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("README.md");
        for text in ["# Title\n", "", "schema = 1\n"] {
            std::fs::write(&path, text).unwrap();
            let message = read(&path).unwrap_err().to_string();
            assert!(
                message.ends_with("README.md is no Stowmark result: it is no JSON"),
                "{message}"
            );
        }
    }

    #[test]
    fn another_document_is_refused_by_its_schema() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        std::fs::write(&path, "{\"schema\":\"other/1\"}").unwrap();
        assert!(matches!(read(&path), Err(FileError::OtherSchema { .. })));
    }
}
