//! What `faults` says of itself, and which fault is wanted when.

use stowmark_plugin::{
    EngineInfo, Error, ErrorClass, Model, OpenRequest, OptionInfo, OptionKind, Result, Tier,
    TierInfo,
};

/// What goes wrong.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    None,
    Panic,
    PanicDrop,
    PanicThread,
    Segfault,
    Abort,
    ExitZero,
    ExitOne,
    StackOverflow,
    HangOpen,
    HangPut,
    HangGet,
    HangClose,
    WrongLength,
    FlippedByte,
    OtherBlob,
    Forgets,
    FailEvery,
    Flood,
    Log,
    Babble,
    Forge,
    Exec,
    Meddle,
}

impl Fault {
    const ALL: [Self; 24] = [
        Self::None,
        Self::Panic,
        Self::PanicDrop,
        Self::PanicThread,
        Self::Segfault,
        Self::Abort,
        Self::ExitZero,
        Self::ExitOne,
        Self::StackOverflow,
        Self::HangOpen,
        Self::HangPut,
        Self::HangGet,
        Self::HangClose,
        Self::WrongLength,
        Self::FlippedByte,
        Self::OtherBlob,
        Self::Forgets,
        Self::FailEvery,
        Self::Flood,
        Self::Log,
        Self::Babble,
        Self::Forge,
        Self::Exec,
        Self::Meddle,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Panic => "panic",
            Self::PanicDrop => "panic-drop",
            Self::PanicThread => "panic-thread",
            Self::Segfault => "segfault",
            Self::Abort => "abort",
            Self::ExitZero => "exit0",
            Self::ExitOne => "exit1",
            Self::StackOverflow => "stack-overflow",
            Self::HangOpen => "hang-open",
            Self::HangPut => "hang-put",
            Self::HangGet => "hang-get",
            Self::HangClose => "hang-close",
            Self::WrongLength => "wrong-length",
            Self::FlippedByte => "flipped-byte",
            Self::OtherBlob => "other-blob",
            Self::Forgets => "forgets",
            Self::FailEvery => "fail-every",
            Self::Flood => "flood",
            Self::Log => "log",
            Self::Babble => "babble",
            Self::Forge => "forge",
            Self::Exec => "exec",
            Self::Meddle => "meddle",
        }
    }
}

/// The names of all faults, as the option lists them.
const NAMES: [&str; Fault::ALL.len()] = {
    let mut names = [""; Fault::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Fault::ALL[at].name();
        at += 1;
    }
    names
};

/// The manifest's entry.
pub(crate) const INFO: EngineInfo =
    EngineInfo::new("faults", "Blobs in memory, with a fault on request, for tests.")
        .models(&[Model::Blobs])
        .options(&[
            OptionInfo::new("fault", OptionKind::Choice, "what goes wrong")
                .values(&NAMES)
                .default("none"),
            OptionInfo::new(
                "after",
                OptionKind::Integer,
                "operations of the store that still go well",
            )
            .unit("operations")
            .default("0"),
        ])
        .tiers(&[TierInfo::new(Tier::Acknowledged, "in this process's memory")]);

/// The options of one store.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Config {
    pub(crate) fault: Fault,
    pub(crate) after: u64,
}

impl Config {
    pub(crate) fn read(request: &OpenRequest) -> Result<Self> {
        if request.tier() != Tier::Acknowledged {
            return Err(Error::new(
                ErrorClass::Unsupported,
                format!(
                    "open: faults honours the tier acknowledged, not {}",
                    request.tier().name()
                ),
            ));
        }
        let name = request.text("fault").unwrap_or_default();
        let fault = Fault::ALL.into_iter().find(|fault| fault.name() == name).ok_or_else(|| {
            Error::new(
                ErrorClass::InvalidOption,
                format!("open: option fault is {name:?}, not one of {}", NAMES.join(", ")),
            )
        })?;
        Ok(Self { fault, after: request.integer("after")? })
    }
}
