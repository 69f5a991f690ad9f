//! The export macro: manifest, root header and the way to each engine.

#![expect(unsafe_code, reason = "the header that a host loads is made by an unsafe constructor")]

use stowmark_abi as abi;
use stowmark_abi::{EngineBox, LibHeader, OpResult, PluginRef, RResult, RStr, RootModuleResult};

use crate::error::{Error, ErrorClass};
use crate::info::EngineInfo;

/// Makes this library a Stowmark plugin that exports these engines.
///
/// ```ignore
/// stowmark_plugin::export! {
///     engines: [
///         SHELF_INFO => Shelf,
///         OTHER_INFO => Other::default(),
///     ]
/// }
/// ```
///
/// Each line is a constant [`EngineInfo`] and an expression that makes the [`Engine`](crate::Engine).
/// The plugin's name is the package's without a leading `stowmark-`, its version the package's. Use
/// it once in a library.
#[macro_export]
macro_rules! export {
    (engines: [$($info:expr => $engine:expr),+ $(,)?]) => {
        const _: () = {
            #[cfg(panic = "abort")]
            compile_error!(
                "a Stowmark plugin must be built with panic = \"unwind\": the harness reports a \
                 panic as an error, and an abort would end its worker"
            );

            const NAME: &str = $crate::__private::plugin_name(env!("CARGO_PKG_NAME"));
            const VERSION: &str = env!("CARGO_PKG_VERSION");
            const ENGINES: &[$crate::EngineInfo] = &[$($info),+];
            const LEN: usize = $crate::__private::manifest_len(NAME, VERSION, ENGINES);

            #[used]
            #[allow(unsafe_code)]
            #[unsafe(no_mangle)]
            pub static STOWMARK_MANIFEST: $crate::__private::Manifest<LEN> =
                $crate::__private::manifest(NAME, VERSION, ENGINES);

            #[used]
            #[allow(unsafe_code)]
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            pub static ROOT: $crate::__private::LibHeader = $crate::__private::header(root);

            extern "C" fn root() -> $crate::__private::RootModuleResult {
                $crate::__private::call_root(module)
            }

            fn module() -> $crate::__private::PluginRef {
                $crate::__private::plugin_module(NAME, engine)
            }

            extern "C" fn engine(
                name: $crate::__private::RStr<'_>,
            ) -> $crate::__private::OpResult<$crate::__private::EngineBox> {
                $crate::__private::find(
                    name.as_str(),
                    ENGINES,
                    &[$(&|| $crate::__private::engine_box($engine)),+],
                )
            }
        };
    };
}

/// The plugin's name: its package's, without the prefix that all share.
pub const fn plugin_name(package: &'static str) -> &'static str {
    let (package, prefix) = (package.as_bytes(), b"stowmark-");
    let mut at = 0;
    while at < prefix.len() && at < package.len() && package[at] == prefix[at] {
        at += 1;
    }
    let name = if at == prefix.len() { package.split_at(at).1 } else { package };
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => panic!("a package's name is ASCII"),
    }
}

/// The header static's value.
pub const fn header(root: extern "C" fn() -> RootModuleResult) -> LibHeader {
    // SAFETY: the macro's `root` returns what `call_root` gave it.
    unsafe { abi::lib_header(root) }
}

/// The root module; made once, when the library is loaded.
pub fn plugin_module(
    name: &'static str,
    engine: extern "C" fn(RStr<'_>) -> OpResult<EngineBox>,
) -> PluginRef {
    abi::plugin_ref(name, engine)
}

/// The engine of that name, made by the function that stands at its place in `makers`.
pub fn find(
    name: &str,
    infos: &[EngineInfo],
    makers: &[&dyn Fn() -> EngineBox],
) -> OpResult<EngineBox> {
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        infos.iter().position(|info| info.name == name).map(|at| makers[at]())
    }));
    let error = match made {
        Ok(Some(engine)) => return RResult::ROk(engine),
        Ok(None) => {
            let names: Vec<_> = infos.iter().map(|info| info.name).collect();
            Error::new(
                ErrorClass::Other,
                format!("no engine {name} in this plugin; it has {}", names.join(", ")),
            )
        }
        Err(payload) => {
            // A payload's own drop may panic again, outside of any guard.
            std::mem::forget(payload);
            Error::new(ErrorClass::Panicked, format!("making the engine {name} panicked"))
        }
    };
    RResult::RErr(error.to_abi())
}
