//! Engine and store: what a plugin opens, and what can be asked of it apart from its data.

use abi_stable::StableAbi;
use abi_stable::sabi_trait;
use abi_stable::std_types::{RBox, ROption, RResult, RSlice, RStr, RString, RVec};

use crate::blob::BlobSessionBox;
use crate::error::{OpResult, unsupported};
use crate::log::LogSinkBox;
use crate::record::{RecordSessionBox, Schema};
use crate::tier::Tier;

/// A key and a value on their way in.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct Pair<'a> {
    /// The key.
    pub key: RStr<'a>,
    /// The value, as text.
    pub value: RStr<'a>,
}

/// A key and a value on their way out.
#[repr(C)]
#[derive(StableAbi, Clone, Debug)]
pub struct OwnedPair {
    /// The key.
    pub key: RString,
    /// The value, as text.
    pub value: RString,
}

/// One figure about what is stored. The name carries the unit: `records`, `logical_bytes`,
/// `data_bytes`, `index_bytes:NAME`, `free_bytes`; others are the engine's own.
#[repr(C)]
#[derive(StableAbi, Clone, Debug)]
pub struct Stat {
    /// Its name, unit last.
    pub name: RString,
    /// The figure.
    pub value: u64,
}

/// What an engine is opened with.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct OpenRequest<'a> {
    /// Options that the manifest declares, in plain form: sizes in bytes, durations in nanoseconds,
    /// truth values as `true` or `false`. An option with a default is always given.
    pub options: RSlice<'a, Pair<'a>>,
    /// The promise that each acknowledgement must keep.
    pub tier: Tier,
    /// The store's own folder, which exists, as the platform's bytes of a path.
    pub data_dir: RSlice<'a, u8>,
    /// What later versions say about it.
    pub extra: RSlice<'a, Pair<'a>>,
}

// A macro, since #[sabi_trait] takes no #[cfg] on a method: the pretended next ABI adds one.
macro_rules! engine_trait {
    ($($added:item)*) => {
        /// One way of storing things.
        #[sabi_trait]
        pub trait Engine: Send + Sync {
            /// Opens a store, new or existing. An engine that cannot honour the tier or an option
            /// refuses.
            #[sabi(last_prefix_field)]
            fn open(&self, request: &OpenRequest<'_>, log: LogSinkBox) -> OpResult<StoreBox>;
            // Later methods come here, each with a default body.
            $($added)*
        }
    };
}

#[cfg(not(feature = "test-next"))]
engine_trait! {}

#[cfg(feature = "test-next")]
engine_trait! {
    /// A method that plugins of ABI 1.0 lack.
    fn added_later(&self) -> OpResult<u64> {
        unsupported("added_later")
    }
}

/// An engine that its holder owns.
pub type EngineBox = Engine_TO<'static, RBox<()>>;

/// An open store. Called from one thread at a time, apart from `blob_session` and `record_session`.
#[sabi_trait]
pub trait Store: Send + Sync {
    /// A session on blobs for the client of that number, counted from 0.
    fn blob_session(&self, client: u32) -> OpResult<BlobSessionBox> {
        let _ = client;
        unsupported("blob_session")
    }

    /// A session on records for the client of that number, counted from 0. `prepare` came first.
    fn record_session(&self, client: u32) -> OpResult<RecordSessionBox> {
        let _ = client;
        unsupported("record_session")
    }

    /// Makes ready what the first use would otherwise pay for: collections, tables, indexes. Called
    /// before any session on records; for blobs the schema has no fields.
    fn prepare(&self, schema: &Schema<'_>) -> OpResult<()> {
        let _ = schema;
        RResult::ROk(())
    }

    /// The effective settings, read back from the engine or its server rather than repeated from
    /// the request. `engine.version` and `server.identity` are well known.
    fn settings(&self) -> OpResult<RVec<OwnedPair>> {
        RResult::ROk(RVec::new())
    }

    /// Figures about what is stored; only those that the engine can give.
    fn stats(&self) -> OpResult<RVec<Stat>> {
        RResult::ROk(RVec::new())
    }

    /// Returns once all accepted work is visible to every session.
    fn drain(&self) -> OpResult<()> {
        RResult::ROk(())
    }

    /// Brings all accepted work to the device.
    fn sync(&self) -> OpResult<()> {
        unsupported("sync")
    }

    /// Gives back the space that deleted data still takes.
    fn compact(&self) -> OpResult<()> {
        unsupported("compact")
    }

    /// The root of the server's process tree, where it is on this machine.
    fn server_pid(&self) -> ROption<u32> {
        ROption::RNone
    }

    /// Ends the store; no other method is called after it. Dropping without it is what a crash is.
    #[sabi(last_prefix_field)]
    fn close(&self) -> OpResult<()>;
}

/// A store that its holder owns.
pub type StoreBox = Store_TO<'static, RBox<()>>;
