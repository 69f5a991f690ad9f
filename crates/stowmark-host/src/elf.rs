//! Reads what the host needs from an ELF shared library, without running it.
//!
//! The file is not trusted. Sizes and offsets in it are checked against the file's length before
//! anything is read, only the tables needed are read, and each is bounded: a file of any size and
//! content costs little memory and no panic.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use object::elf::{self, FileHeader64};
use object::read::ReadRef;
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};
use object::{Endianness, ReadCache};
use stowmark_abi::manifest::{HEADER_LEN, Header, MAX_JSON_LEN, SYMBOL};

use crate::inspect::InspectError;

/// The largest table that is read at once, in bytes.
const MAX_READ: u64 = 16 << 20;
/// The longest list of needed libraries that is kept.
const MAX_NEEDED: usize = 1000;

/// What was read.
pub(crate) struct Library {
    /// The manifest's header.
    pub(crate) header: Header,
    /// The manifest's text, not yet looked at.
    pub(crate) json: Vec<u8>,
    /// The libraries that the system loads along with it.
    pub(crate) needed: Vec<String>,
}

/// Reads the library's manifest and what it needs.
pub(crate) fn read(path: &Path, file: File) -> Result<Library, InspectError> {
    let cache = ReadCache::new(file);
    let reader = Reader { path, data: Bounded(&cache) };
    reader.library()
}

/// A file whose reads are bounded.
struct Bounded<'a>(&'a ReadCache<File>);

impl Clone for Bounded<'_> {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for Bounded<'_> {}

impl<'a> ReadRef<'a> for Bounded<'a> {
    fn len(self) -> Result<u64, ()> {
        self.0.len()
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'a [u8], ()> {
        if size > MAX_READ {
            return Err(());
        }
        self.0.read_bytes_at(offset, size)
    }

    fn read_bytes_at_until(self, range: Range<u64>, delimiter: u8) -> Result<&'a [u8], ()> {
        self.0.read_bytes_at_until(range, delimiter)
    }
}

type Elf = FileHeader64<Endianness>;
type Sections<'a> = SectionTable<'a, Elf, Bounded<'a>>;

struct Reader<'a> {
    path: &'a Path,
    data: Bounded<'a>,
}

impl<'a> Reader<'a> {
    fn library(&self) -> Result<Library, InspectError> {
        let header = self.header()?;
        let endian = header.endian().map_err(|error| self.damaged(error))?;
        self.check_tables(header, endian)?;
        let segments =
            header.program_headers(endian, self.data).map_err(|error| self.damaged(error))?;
        self.check_contents(header, endian, segments)?;
        let sections = header.sections(endian, self.data).map_err(|error| self.damaged(error))?;
        let (needed, is_program) = self.dynamic(endian, &sections)?;
        let Some(symbol) = self.manifest_symbol(endian, &sections)? else {
            if is_program {
                return Err(self.other_kind("a program"));
            }
            return Err(InspectError::NoManifest { path: self.path.into() });
        };
        let (header, json) = self.manifest(endian, segments, symbol)?;
        Ok(Library { header, json, needed })
    }

    /// The file header, if this is a shared library for this very machine.
    fn header(&self) -> Result<&'a Elf, InspectError> {
        let len = self.len()?;
        let start = self
            .data
            .read_bytes_at(0, len.min(64))
            .map_err(|()| self.damaged("its start cannot be read"))?;
        if !start.starts_with(&elf::ELFMAG) {
            let found = what_it_is(start);
            return Err(InspectError::NotALibrary { path: self.path.into(), found });
        }
        if start.len() < 64 {
            return Err(self.truncated(64, len));
        }
        if start[4] != elf::ELFCLASS64.0 {
            return Err(InspectError::OtherBits { path: self.path.into() });
        }
        let header = Elf::parse(self.data).map_err(|error| self.damaged(error))?;
        let endian = header.endian().map_err(|error| self.damaged(error))?;
        let found = header.e_machine(endian);
        let ours = our_machine();
        let same_order = header.is_big_endian() == cfg!(target_endian = "big");
        if ours.is_some_and(|ours| ours != found) || !same_order {
            return Err(InspectError::OtherCpu {
                path: self.path.into(),
                found: machine_name(found, header.is_big_endian()),
                ours: std::env::consts::ARCH,
            });
        }
        match header.e_type(endian) {
            elf::ET_DYN => Ok(header),
            elf::ET_EXEC => Err(self.other_kind("a program")),
            elf::ET_REL => Err(self.other_kind("an object file, not yet linked")),
            elf::ET_CORE => Err(self.other_kind("a core dump")),
            _ => Err(self.other_kind("an ELF file of no known kind")),
        }
    }

    /// Whether the file reaches as far as the tables that its header speaks of.
    fn check_tables(&self, header: &Elf, endian: Endianness) -> Result<(), InspectError> {
        let size = |count: u16, each: u16| u64::from(count) * u64::from(each);
        let segments = size(header.e_phnum(endian), header.e_phentsize(endian));
        let sections = size(header.e_shnum(endian), header.e_shentsize(endian));
        self.check_ranges(&[(header.e_phoff(endian), segments), (header.e_shoff(endian), sections)])
    }

    /// Whether the file reaches as far as its tables say. The system's loader does not ask: it maps
    /// the file, and the first touch of what is missing ends the process.
    fn check_contents(
        &self,
        header: &Elf,
        endian: Endianness,
        segments: &[<Elf as FileHeader>::ProgramHeader],
    ) -> Result<(), InspectError> {
        let sections =
            header.section_headers(endian, self.data).map_err(|error| self.damaged(error))?;
        let loaded = segments
            .iter()
            .filter(|segment| segment.p_type(endian) == elf::PT_LOAD)
            .map(|segment| segment.file_range(endian));
        let ranges: Vec<_> = loaded
            .chain(sections.iter().filter_map(|section| section.file_range(endian)))
            .collect();
        self.check_ranges(&ranges)
    }

    fn check_ranges(&self, ranges: &[(u64, u64)]) -> Result<(), InspectError> {
        let len = self.len()?;
        for (offset, size) in ranges {
            let end = offset
                .checked_add(*size)
                .ok_or_else(|| self.damaged("a part of it has no possible place"))?;
            if end > len {
                return Err(self.truncated(end, len));
            }
        }
        Ok(())
    }

    /// The libraries that it needs, and whether it is a program rather than a library.
    fn dynamic(
        &self,
        endian: Endianness,
        sections: &Sections<'a>,
    ) -> Result<(Vec<String>, bool), InspectError> {
        let mut needed = Vec::new();
        let mut is_program = false;
        let Some((entries, strings)) =
            sections.dynamic(endian, self.data).map_err(|error| self.damaged(error))?
        else {
            return Ok((needed, is_program));
        };
        let strings =
            sections.strings(endian, self.data, strings).map_err(|error| self.damaged(error))?;
        for entry in entries {
            match entry.d_tag(endian) {
                elf::DT_NULL => break,
                elf::DT_NEEDED if needed.len() < MAX_NEEDED => {
                    let name = u32::try_from(entry.d_val(endian))
                        .ok()
                        .and_then(|at| strings.get(at).ok())
                        .ok_or_else(|| self.damaged("a needed library has no name"))?;
                    needed.push(String::from_utf8_lossy(name).into_owned());
                }
                elf::DT_FLAGS_1 => is_program |= entry.d_val(endian) & DF_1_PIE != 0,
                _ => {}
            }
        }
        Ok((needed, is_program))
    }

    /// The manifest's dynamic symbol: its address and size.
    fn manifest_symbol(
        &self,
        endian: Endianness,
        sections: &Sections<'a>,
    ) -> Result<Option<(u64, u64)>, InspectError> {
        let symbols = sections
            .symbols(endian, self.data, elf::SHT_DYNSYM)
            .map_err(|error| self.damaged(error))?;
        let Some(names) = sections
            .section(symbols.string_section())
            .ok()
            .and_then(|section| section.file_range(endian))
        else {
            return Ok(None);
        };
        let wanted = [SYMBOL.as_bytes(), b"\0"].concat();
        for symbol in symbols.iter() {
            if symbol.is_undefined(endian) || symbol.st_type() != elf::STT_OBJECT {
                continue;
            }
            // Just as many bytes as the name has: a symbol's name may be of any length.
            let at = u64::from(symbol.st_name(endian));
            let fits = at.checked_add(wanted.len() as u64).is_some_and(|end| end <= names.1);
            if fits && self.data.read_bytes_at(names.0 + at, wanted.len() as u64) == Ok(&wanted[..])
            {
                return Ok(Some((symbol.st_value(endian), symbol.st_size(endian))));
            }
        }
        Ok(None)
    }

    /// The manifest's bytes, found in the segment that holds the symbol's address.
    fn manifest(
        &self,
        endian: Endianness,
        segments: &[<Elf as FileHeader>::ProgramHeader],
        (address, size): (u64, u64),
    ) -> Result<(Header, Vec<u8>), InspectError> {
        let damaged = |why: String| InspectError::DamagedManifest { path: self.path.into(), why };
        let (offset, available) = segments
            .iter()
            .filter(|segment| segment.p_type(endian) == elf::PT_LOAD)
            .find_map(|segment| {
                let into = address.checked_sub(segment.p_vaddr(endian))?;
                let (offset, len) = segment.file_range(endian);
                let left = len.checked_sub(into).filter(|left| *left > 0)?;
                Some((offset.checked_add(into)?, left.min(size)))
            })
            .ok_or_else(|| damaged("its address lies in no part of the file".into()))?;

        let header_len = HEADER_LEN as u64;
        let header = (available >= header_len)
            .then(|| self.data.read_bytes_at(offset, header_len).ok())
            .flatten()
            .and_then(Header::read)
            .ok_or_else(|| damaged("it does not begin as a manifest does".into()))?;
        let json_len = u64::from(header.json_len);
        if json_len > MAX_JSON_LEN as u64 {
            return Err(damaged(format!(
                "its text is said to have {json_len} bytes; at most {MAX_JSON_LEN} are read"
            )));
        }
        if json_len > available - header_len {
            return Err(damaged(format!(
                "its text is said to have {json_len} bytes and has {}",
                available - header_len
            )));
        }
        let json = self
            .data
            .read_bytes_at(offset + header_len, json_len)
            .map_err(|()| damaged("its text cannot be read".into()))?;
        Ok((header, json.to_vec()))
    }

    fn len(&self) -> Result<u64, InspectError> {
        self.data.len().map_err(|()| self.damaged("its length cannot be told"))
    }

    fn damaged(&self, why: impl ToString) -> InspectError {
        InspectError::DamagedLibrary { path: self.path.into(), why: why.to_string() }
    }

    fn truncated(&self, expected: u64, found: u64) -> InspectError {
        InspectError::Truncated { path: self.path.into(), expected, found }
    }

    fn other_kind(&self, found: &'static str) -> InspectError {
        InspectError::NotALibrary { path: self.path.into(), found }
    }
}

/// The bit that marks a program which can be placed anywhere, and so is built like a library.
const DF_1_PIE: u64 = 0x0800_0000;

/// What a file that is not ELF looks like, by its first bytes.
fn what_it_is(start: &[u8]) -> &'static str {
    match start {
        [] => "an empty file",
        [b'#', b'!', ..] => "a script",
        [b'M', b'Z', ..] => "a Windows library",
        [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] | [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] => {
            "a macOS library"
        }
        _ if start.starts_with(b"!<arch>") => "a static library",
        _ if start.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => {
            "a text file"
        }
        _ => "no library of any known kind",
    }
}

/// The machine that this host was built for, where its number is known here.
fn our_machine() -> Option<elf::Machine> {
    MACHINES.iter().find(|(_, name)| *name == std::env::consts::ARCH).map(|(machine, _)| *machine)
}

fn machine_name(machine: elf::Machine, big_endian: bool) -> String {
    let name = MACHINES.iter().find(|(known, _)| *known == machine).map(|(_, name)| *name);
    let order = if big_endian { ", big-endian" } else { "" };
    name.map_or_else(
        || format!("machine number {}{order}", machine.0),
        |name| format!("{name}{order}"),
    )
}

/// ELF's machines by Rust's names.
const MACHINES: &[(elf::Machine, &str)] = &[
    (elf::EM_X86_64, "x86_64"),
    (elf::EM_AARCH64, "aarch64"),
    (elf::EM_RISCV, "riscv64"),
    (elf::EM_LOONGARCH, "loongarch64"),
    (elf::EM_PPC64, "powerpc64"),
    (elf::EM_S390, "s390x"),
    (elf::EM_386, "x86"),
    (elf::EM_ARM, "arm"),
];
