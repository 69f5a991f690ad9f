//! Writes the manifest's JSON while the plugin is compiled. Each text is written twice by the same
//! code: once to count, once to fill an array of just that length.

use stowmark_abi::manifest::{HEADER_LEN, Header};
use stowmark_abi::{ABI_MAJOR, ABI_MINOR};

use crate::info::{EngineInfo, OptionInfo, TierInfo};

/// The manifest's bytes as they lie in the library. One byte array: free of pointers and padding.
#[repr(C, align(16))]
pub struct Manifest<const LEN: usize>([u8; LEN]);

impl<const LEN: usize> Manifest<LEN> {
    /// The bytes.
    pub const fn bytes(&self) -> &[u8; LEN] {
        &self.0
    }
}

/// The whole manifest's length in bytes: header and text.
pub const fn manifest_len(name: &str, version: &str, engines: &[EngineInfo]) -> usize {
    HEADER_LEN + text::<0>(name, version, engines).len
}

/// The manifest; `LEN` is what [`manifest_len`] says for the same arguments.
pub const fn manifest<const LEN: usize>(
    name: &str,
    version: &str,
    engines: &[EngineInfo],
) -> Manifest<LEN> {
    check(engines);
    let json = text::<LEN>(name, version, engines);
    #[expect(clippy::cast_possible_truncation, reason = "a text over 4 GiB is not compiled")]
    let header =
        Header { json_len: json.len as u32, abi_major: ABI_MAJOR, abi_minor: ABI_MINOR }.to_bytes();
    let mut bytes = [0; LEN];
    let mut i = 0;
    while i < LEN {
        bytes[i] = if i < HEADER_LEN { header[i] } else { json.bytes[i - HEADER_LEN] };
        i += 1;
    }
    Manifest(bytes)
}

/// Mistakes in a declaration end the compilation rather than a user's run.
const fn check(engines: &[EngineInfo]) {
    assert!(!engines.is_empty(), "a plugin exports at least one engine");
    let mut i = 0;
    while i < engines.len() {
        assert!(!engines[i].name.is_empty(), "an engine has a name");
        assert!(!engines[i].models.is_empty(), "an engine declares at least one model");
        assert!(!engines[i].tiers.is_empty(), "an engine declares at least one tier");
        i += 1;
    }
}

/// A text under construction: with `CAP` 0 it only counts.
struct Json<const CAP: usize> {
    bytes: [u8; CAP],
    len: usize,
    /// Whether the next member or element needs a comma before it.
    comma: bool,
}

impl<const CAP: usize> Json<CAP> {
    const fn raw(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            self = self.byte(bytes[i]);
            i += 1;
        }
        self
    }

    const fn byte(mut self, byte: u8) -> Self {
        if CAP > 0 {
            self.bytes[self.len] = byte;
        }
        self.len += 1;
        self
    }

    const fn separate(mut self) -> Self {
        if self.comma {
            self = self.byte(b',');
        }
        self.comma = true;
        self
    }

    const fn open(mut self, bracket: u8) -> Self {
        self = self.byte(bracket);
        self.comma = false;
        self
    }

    const fn close(mut self, bracket: u8) -> Self {
        self = self.byte(bracket);
        self.comma = true;
        self
    }

    const fn string(mut self, text: &str) -> Self {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let bytes = text.as_bytes();
        self = self.byte(b'"');
        let mut i = 0;
        while i < bytes.len() {
            let byte = bytes[i];
            self = match byte {
                b'"' | b'\\' => self.byte(b'\\').byte(byte),
                0..0x20 => self
                    .raw("\\u00")
                    .byte(HEX[(byte >> 4) as usize])
                    .byte(HEX[(byte & 15) as usize]),
                _ => self.byte(byte),
            };
            i += 1;
        }
        self.byte(b'"')
    }

    const fn key(self, name: &str) -> Self {
        self.separate().string(name).byte(b':')
    }

    const fn member(self, name: &str, value: &str) -> Self {
        self.key(name).string(value)
    }

    const fn optional(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.member(name, value),
            None => self,
        }
    }

    const fn strings(mut self, name: &str, values: &[&str]) -> Self {
        self = self.key(name).open(b'[');
        let mut i = 0;
        while i < values.len() {
            self = self.separate().string(values[i]);
            i += 1;
        }
        self.close(b']')
    }

    const fn options(mut self, options: &[OptionInfo]) -> Self {
        self = self.key("options").open(b'[');
        let mut i = 0;
        while i < options.len() {
            let option = &options[i];
            self = self
                .separate()
                .open(b'{')
                .member("name", option.name)
                .member("kind", option.kind.name())
                .optional("unit", option.unit)
                .optional("default", option.default)
                .optional("min", option.min)
                .optional("max", option.max)
                .strings("values", option.values)
                .member("help", option.help)
                .close(b'}');
            i += 1;
        }
        self.close(b']')
    }

    const fn tiers(mut self, tiers: &[TierInfo]) -> Self {
        self = self.key("tiers").open(b'[');
        let mut i = 0;
        while i < tiers.len() {
            self = self
                .separate()
                .open(b'{')
                .member("tier", tiers[i].tier.name())
                .member("how", tiers[i].how)
                .close(b'}');
            i += 1;
        }
        self.close(b']')
    }

    const fn engine(mut self, engine: &EngineInfo) -> Self {
        self = self
            .separate()
            .open(b'{')
            .member("name", engine.name)
            .member("help", engine.help)
            .optional("library", engine.library)
            .key("models")
            .open(b'[');
        let mut i = 0;
        while i < engine.models.len() {
            self = self.separate().string(engine.models[i].name());
            i += 1;
        }
        let default_tier = match engine.default_tier {
            Some(tier) => tier,
            None => engine.tiers[0].tier,
        };
        self.close(b']')
            .key("stores")
            .raw(if engine.stores { "true" } else { "false" })
            .options(engine.options)
            .tiers(engine.tiers)
            .member("default_tier", default_tier.name())
            .strings("services", engine.services)
            .close(b'}')
    }
}

const fn text<const CAP: usize>(name: &str, version: &str, engines: &[EngineInfo]) -> Json<CAP> {
    let mut json = Json { bytes: [0; CAP], len: 0, comma: false }
        .open(b'{')
        .member("name", name)
        .member("version", version)
        .member("kit", env!("CARGO_PKG_VERSION"))
        .member("rustc", env!("STOWMARK_KIT_RUSTC"))
        .member("profile", env!("STOWMARK_KIT_PROFILE"))
        .key("engines")
        .open(b'[');
    let mut i = 0;
    while i < engines.len() {
        json = json.engine(&engines[i]);
        i += 1;
    }
    json.close(b']').close(b'}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::{Model, OptionKind, Tier};

    const ENGINES: &[EngineInfo] = &[
        EngineInfo::new("one", "says \"hello\"\n\\")
            .models(&[Model::Blobs, Model::Records])
            .options(&[OptionInfo::new("chunk", OptionKind::Size, "é").default("512k")])
            .tiers(&[TierInfo::new(Tier::Os, "w"), TierInfo::new(Tier::Media, "f")])
            .default_tier(Tier::Media),
        EngineInfo::new("two", "")
            .models(&[Model::Blobs])
            .does_not_store()
            .tiers(&[TierInfo::new(Tier::Acknowledged, "m")]),
    ];

    #[test]
    fn the_text_is_json_and_says_what_was_declared() {
        const LEN: usize = manifest_len("p", "1.2.3", ENGINES);
        static MANIFEST: Manifest<LEN> = manifest("p", "1.2.3", ENGINES);
        let header = Header::read(MANIFEST.bytes()).unwrap();
        let json = &MANIFEST.bytes()[HEADER_LEN..];
        assert_eq!(header.json_len as usize, json.len());
        let json: serde_json::Value = serde_json::from_slice(json).unwrap();
        assert_eq!(json["version"], "1.2.3");
        assert_eq!(json["engines"][0]["help"], "says \"hello\"\n\\");
        assert_eq!(json["engines"][0]["models"], serde_json::json!(["blobs", "records"]));
        assert_eq!(json["engines"][0]["options"][0]["default"], "512k");
        assert_eq!(json["engines"][0]["options"][0]["help"], "é");
        assert_eq!(json["engines"][0]["default_tier"], "media");
        assert_eq!(json["engines"][1]["stores"], false);
        assert_eq!(json["engines"][1]["default_tier"], "acknowledged");
    }
}
