//! The words for what is done, on what, and whether it is checked.

use crate::suggest::word_enum;

word_enum! {
    /// One operation that is timed.
    pub enum Op as "operation" {
        /// Store a blob under a new key.
        Put = "put",
        /// Read a whole blob back.
        Get = "get",
        /// Remove a blob.
        Delete = "delete",
    }
}

word_enum! {
    /// What an engine must be able to hold for a suite to run on it.
    pub enum Model as "model" {
        /// Named byte streams.
        Blobs = "blobs",
        /// A key and fields.
        Records = "records",
    }
}

word_enum! {
    /// How much of what was stored is read back and compared byte for byte, outside the clock.
    pub enum Verify as "verification" {
        /// All of it.
        Full = "full",
        /// Nothing: for stores too large to be read again.
        None = "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_prints_as_the_word_it_is_parsed_from() {
        for op in Op::ALL {
            assert_eq!(op.to_string().parse(), Ok(*op));
        }
    }

    #[test]
    fn an_unknown_operation_suggests_the_nearest() {
        let error = "delte".parse::<Op>().unwrap_err();
        assert_eq!(error.nearest.as_deref(), Some("delete"));
        assert!(error.to_string().contains("put, get, delete"));
    }
}
