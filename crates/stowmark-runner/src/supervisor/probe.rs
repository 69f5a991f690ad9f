//! What a flush costs here: the price of tier `media` is the device's, so it is shown beside the
//! figures.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use stowmark_results::FsyncProbe;

use super::machine::block_folder;
use crate::platform::monotonic_ns;

const WRITES: u64 = 50;
const WRITE_BYTES: usize = 4096;

/// Small writes at the end of a file, each followed by fsync.
///
/// # Errors
///
/// The system's: no space, no permission.
pub(crate) fn fsync(folder: &Path) -> io::Result<FsyncProbe> {
    let path = folder.join("fsync-probe");
    let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
    let block = block_folder(folder);
    let flushes_before = block.as_deref().and_then(flushes);
    let mut times = Vec::new();
    for _ in 0..WRITES {
        let start = monotonic_ns();
        file.write_all(&[0x5a; WRITE_BYTES])?;
        file.sync_all()?;
        times.push(monotonic_ns() - start);
    }
    let flushes_after = block.as_deref().and_then(flushes);
    std::fs::remove_file(&path)?;
    times.sort_unstable();
    Ok(FsyncProbe {
        writes: WRITES,
        write_bytes: WRITE_BYTES as u64,
        median_ns: times[times.len() / 2],
        min_ns: times[0],
        max_ns: times[times.len() - 1],
        device_flushes: flushes_before.zip(flushes_after).map(|(a, b)| b.saturating_sub(a)),
        ..FsyncProbe::default()
    })
}

/// The device's count of completed flushes: field 16 of its `stat` (since Linux 5.5).
fn flushes(block: &Path) -> Option<u64> {
    let stat = std::fs::read_to_string(block.join("stat")).ok()?;
    stat.split_whitespace().nth(15)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_gives_ordered_times_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let probe = fsync(folder.path()).unwrap();
        assert_eq!(probe.writes, WRITES);
        assert!(probe.min_ns > 0 && probe.min_ns <= probe.median_ns);
        assert!(probe.median_ns <= probe.max_ns);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
