//! A session on blobs, and the guard around the caller's own sources and sinks.
//!
//! This is the measured path. Each call wraps the caller's source or sink, by reference and on the
//! stack, in an object of the ABI whose methods catch a panic of the caller's: a panic that crossed
//! the border would end the process. On success nothing is converted and nothing is allocated.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use stowmark_abi as abi;
use stowmark_abi::{OpResult, RMut, ROption, RResult, RSlice, TD_Opaque};

use crate::error::{ErrorClass, OpError};

/// Where the bytes of a put come from.
pub trait Source {
    /// The blob's whole length in bytes, known before the first byte is read.
    fn len(&self) -> u64;

    /// Whether the blob has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next bytes: at least one and at most `max`, or none once all were handed out.
    ///
    /// # Errors
    ///
    /// The put ends with this error, if the engine hands it on as it should.
    fn next(&mut self, max: usize) -> Result<&[u8], OpError>;

    /// The whole blob, where it lies in one piece and nothing was read yet.
    fn contiguous(&self) -> Option<&[u8]> {
        None
    }
}

/// Where the bytes of a get go.
pub trait Sink {
    /// Takes the next bytes of the blob, in order.
    ///
    /// # Errors
    ///
    /// No more is wanted: the get ends with this error, if the engine hands it on as it should.
    fn write(&mut self, chunk: &[u8]) -> Result<(), OpError>;
}

impl Sink for Vec<u8> {
    fn write(&mut self, chunk: &[u8]) -> Result<(), OpError> {
        self.extend_from_slice(chunk);
        Ok(())
    }
}

/// A blob that lies in memory in one piece.
#[derive(Copy, Clone, Debug)]
pub struct SliceSource<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> SliceSource<'a> {
    /// A source of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }
}

impl Source for SliceSource<'_> {
    #[inline]
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    #[inline]
    fn next(&mut self, max: usize) -> Result<&[u8], OpError> {
        let rest = &self.bytes[self.at..];
        let chunk = &rest[..rest.len().min(max)];
        self.at += chunk.len();
        Ok(chunk)
    }

    #[inline]
    fn contiguous(&self) -> Option<&[u8]> {
        (self.at == 0).then_some(self.bytes)
    }
}

/// One client's use of a store of blobs. Drop it before its store is closed.
pub struct BlobSession {
    inner: abi::BlobSessionBox,
}

impl BlobSession {
    pub(crate) fn new(inner: abi::BlobSessionBox) -> Self {
        Self { inner }
    }

    /// Stores the source's bytes under the key, in place of what was there. Returns the number of
    /// bytes that the engine says it stored.
    ///
    /// # Errors
    ///
    /// The engine's, or `HostPanicked` if the source panicked.
    #[inline]
    pub fn put<S: Source>(&mut self, key: &[u8], source: &mut S) -> Result<u64, OpError> {
        let mut source = Guarded::new(source);
        let object = abi::Source_TO::from_ptr(RMut::new(&mut source), TD_Opaque);
        let result = self.inner.put(RSlice::from_slice(key), object);
        source.finish(result)
    }

    /// Writes the blob to the sink. Returns its length in bytes, as the engine says it.
    ///
    /// # Errors
    ///
    /// The engine's, or `HostPanicked` if the sink panicked.
    #[inline]
    pub fn get<K: Sink>(&mut self, key: &[u8], sink: &mut K) -> Result<u64, OpError> {
        let mut sink = Guarded::new(sink);
        let object = abi::Sink_TO::from_ptr(RMut::new(&mut sink), TD_Opaque);
        let result = self.inner.get(RSlice::from_slice(key), object);
        sink.finish(result)
    }

    /// Writes at most `len` bytes from `offset` on to the sink; fewer where the blob ends before.
    /// Returns how many, as the engine says it.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get); `Unsupported` where the engine cannot.
    #[inline]
    pub fn get_range<K: Sink>(
        &mut self,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut K,
    ) -> Result<u64, OpError> {
        let mut sink = Guarded::new(sink);
        let object = abi::Sink_TO::from_ptr(RMut::new(&mut sink), TD_Opaque);
        let result = self.inner.get_range(RSlice::from_slice(key), offset, len, object);
        sink.finish(result)
    }

    /// Removes the blob.
    ///
    /// # Errors
    ///
    /// The engine's: `NotFound` for a key that is not there.
    #[inline]
    pub fn delete(&mut self, key: &[u8]) -> Result<(), OpError> {
        plain(self.inner.delete(RSlice::from_slice(key)))
    }

    /// The blob's length in bytes, without reading it.
    ///
    /// # Errors
    ///
    /// The engine's: `NotFound` for a key that is not there.
    #[inline]
    pub fn length(&mut self, key: &[u8]) -> Result<u64, OpError> {
        plain(self.inner.length(RSlice::from_slice(key)))
    }
}

/// A result of the ABI as one of ours.
#[inline]
pub(crate) fn plain<T>(result: OpResult<T>) -> Result<T, OpError> {
    match result {
        RResult::ROk(value) => Ok(value),
        RResult::RErr(error) => Err(OpError::from_abi(error)),
    }
}

/// A callback of the caller's for the time of one call: its panic is caught and remembered.
pub(crate) struct Guarded<'a, T: ?Sized> {
    callback: &'a mut T,
    // A cell, since a source is also asked through a shared reference.
    panicked: Cell<Option<OpError>>,
}

impl<'a, T: ?Sized> Guarded<'a, T> {
    #[inline]
    pub(crate) fn new(callback: &'a mut T) -> Self {
        Self { callback, panicked: Cell::new(None) }
    }

    /// What the call came to: a panic of the callback counts, whatever the plugin made of it.
    #[inline]
    pub(crate) fn finish<R>(self, result: OpResult<R>) -> Result<R, OpError> {
        match self.panicked.into_inner() {
            None => plain(result),
            Some(error) => Err(error),
        }
    }

    /// Runs the callback for the plugin, which learns of a panic as an error.
    #[inline]
    pub(crate) fn call<'s, R>(
        &'s mut self,
        what: &str,
        run: impl FnOnce(&'s mut T) -> Result<R, OpError>,
    ) -> OpResult<R> {
        let Self { callback, panicked } = self;
        match catch_unwind(AssertUnwindSafe(move || run(callback))) {
            Ok(Ok(value)) => RResult::ROk(value),
            Ok(Err(error)) => RResult::RErr(error.into_abi()),
            Err(payload) => {
                let error = host_panic(what, payload);
                panicked.set(Some(error.clone()));
                RResult::RErr(error.into_abi())
            }
        }
    }

    /// Asks the callback a question that cannot fail; none after a panic.
    #[inline]
    fn ask<'s, R>(&'s self, what: &str, run: impl FnOnce(&'s T) -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(move || run(self.callback))) {
            Ok(answer) => Some(answer),
            Err(payload) => {
                self.panicked.set(Some(host_panic(what, payload)));
                None
            }
        }
    }
}

#[cold]
fn host_panic(what: &str, payload: Box<dyn Any + Send>) -> OpError {
    let text = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a payload that is no text".into());
    // A payload's own drop may panic again, outside of any guard.
    std::mem::forget(payload);
    OpError::new(ErrorClass::HostPanicked, format!("the harness's {what} panicked: {text}"))
}

impl<S: Source> abi::Source for Guarded<'_, S> {
    #[inline]
    fn len(&self) -> u64 {
        self.ask("source", S::len).unwrap_or(0)
    }

    #[inline]
    fn next(&mut self, max: usize) -> OpResult<RSlice<'_, u8>> {
        self.call("source", |source| source.next(max).map(RSlice::from_slice))
    }

    #[inline]
    fn contiguous(&self) -> ROption<RSlice<'_, u8>> {
        match self.ask("source", S::contiguous).flatten() {
            Some(whole) => ROption::RSome(RSlice::from_slice(whole)),
            None => ROption::RNone,
        }
    }
}

impl<K: Sink> abi::Sink for Guarded<'_, K> {
    #[inline]
    fn write(&mut self, chunk: RSlice<'_, u8>) -> OpResult<()> {
        self.call("sink", |sink| sink.write(chunk.into()))
    }
}
