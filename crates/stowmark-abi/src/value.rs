//! A field's value: an open enum as a tagged struct, so that a kind that comes later is no change
//! of layout.

use abi_stable::StableAbi;
use abi_stable::std_types::RSlice;

/// What a [`Value`] holds. An open set.
#[repr(transparent)]
#[derive(StableAbi, Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ValueKind(pub u32);

impl ValueKind {
    /// No value.
    pub const NULL: Self = Self(0);
    /// A truth value: `bits` is 0 or 1.
    pub const BOOL: Self = Self(1);
    /// A signed number: `bits` is its two's complement.
    pub const I64: Self = Self(2);
    /// A floating-point number: `bits` is its IEEE 754 form.
    pub const F64: Self = Self(3);
    /// UTF-8 text in `data`.
    pub const TEXT: Self = Self(4);
    /// Bytes in `data`.
    pub const BYTES: Self = Self(5);
}

/// One value. Numbers lie in `bits`, text and bytes in `data`; the other part is empty.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct Value<'a> {
    /// What it holds.
    pub kind: ValueKind,
    /// The number, for kinds that are one.
    pub bits: u64,
    /// The text or bytes, for kinds that are some.
    pub data: RSlice<'a, u8>,
}

impl<'a> Value<'a> {
    /// No value.
    #[must_use]
    pub fn null() -> Self {
        Self::number(ValueKind::NULL, 0)
    }

    /// A kind whose content is a number.
    #[must_use]
    pub fn number(kind: ValueKind, bits: u64) -> Self {
        Self { kind, bits, data: RSlice::EMPTY }
    }

    /// A kind whose content is bytes.
    #[must_use]
    pub fn data(kind: ValueKind, data: &'a [u8]) -> Self {
        Self { kind, bits: 0, data: RSlice::from_slice(data) }
    }
}
