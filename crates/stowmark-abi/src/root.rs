//! The root module: the first thing that a host gets from a plugin, and its one way in.

use abi_stable::StableAbi;
use abi_stable::library::{CheckTypeLayout, RootModule};
pub use abi_stable::library::{LibHeader, RootModuleResult};
use abi_stable::package_version_strings;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::RStr;

use crate::engine::EngineBox;
use crate::error::OpResult;

/// What a plugin gives its host.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = PluginRef, prefix_fields = PluginPrefix)))]
#[sabi(missing_field(option))]
pub struct Plugin {
    /// The plugin's name, as in its manifest.
    pub name: RStr<'static>,
    /// The engine of that name, or an error that lists the plugin's engines.
    #[sabi(last_prefix_field)]
    pub engine: extern "C" fn(name: RStr<'_>) -> OpResult<EngineBox>,
    /// Only in the pretended next ABI: a field that older plugins lack.
    #[cfg(feature = "test-next")]
    pub added_later: u64,
}

/// A plugin's root module. It lives as long as the process, as a loaded library does.
#[must_use]
pub fn plugin_ref(
    name: &'static str,
    engine: extern "C" fn(RStr<'_>) -> OpResult<EngineBox>,
) -> PluginRef {
    Plugin {
        name: RStr::from_str(name),
        engine,
        #[cfg(feature = "test-next")]
        added_later: 11,
    }
    .leak_into_prefix()
}

impl RootModule for PluginRef {
    abi_stable::declare_root_module_statics! {PluginRef}

    const BASE_NAME: &'static str = "stowmark";
    const NAME: &'static str = "stowmark";
    const VERSION_STRINGS: VersionStrings = package_version_strings!();
}

/// The symbol under which `abi_stable` looks for the [`LibHeader`].
pub const ROOT_SYMBOL: &str = abi_stable::library::ROOT_MODULE_LOADER_NAME;

/// The header that a plugin exports as [`ROOT_SYMBOL`].
///
/// # Safety
///
/// `constructor` must return what [`call_root`] gave it.
#[must_use]
pub const unsafe fn lib_header(constructor: extern "C" fn() -> RootModuleResult) -> LibHeader {
    // SAFETY: the caller's promise is just what this function asks for: the module behind the
    // result is a `PluginRef`.
    unsafe { LibHeader::from_constructor::<PluginRef>(constructor, CheckTypeLayout::Yes) }
}

/// Runs a plugin's root function; a panic in it becomes an error of the result.
pub fn call_root(make: fn() -> PluginRef) -> RootModuleResult {
    abi_stable::library::__call_root_module_loader(make)
}
