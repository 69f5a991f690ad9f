//! Figures about what is stored, as redb tells them.

use std::path::Path;

use redb::{Database, ReadableTable, ReadableTableMetadata};
use stowmark_plugin::Stat;

use crate::blobs;
use crate::error::Outcome;
use crate::layout::BLOBS;

/// All figures, of one moment. Both redb's own statistics and the sum of the blobs' lengths walk
/// every page of the trees, so this takes as long as reading the database does.
///
/// redb gives its statistics only inside a write transaction, so this waits for a writer under way.
pub(crate) fn read(database: &Database, path: &Path) -> Outcome<Vec<Stat>> {
    let transaction = database.begin_write()?;
    let (blobs, logical_bytes) = {
        let table = transaction.open_table(BLOBS)?;
        let mut logical_bytes = 0;
        for entry in table.iter()? {
            logical_bytes += blobs::value_length(entry?.1.value())?;
        }
        (table.len()?, logical_bytes)
    };
    let stats = transaction.stats()?;
    transaction.abort()?;
    Ok(vec![
        Stat::new("blobs", blobs),
        Stat::new("logical_bytes", logical_bytes),
        Stat::new("data_bytes", stats.allocated_pages() * stats.page_size() as u64),
        Stat::new("free_bytes", stats.fragmented_bytes()),
        Stat::new("stored_bytes", stats.stored_bytes()),
        Stat::new("metadata_bytes", stats.metadata_bytes()),
        Stat::new("file_bytes", path.metadata()?.len()),
    ])
}
