//! Loading: several plugins in one process, and every way in which one does not come.

#![expect(unsafe_code, reason = "asking the process for a symbol")]

use std::fs;

use stowmark_host::{ErrorClass, LoadError, Plugin, inspect};

use crate::support::{
    c_library, c_manifest, changed, json, library, line, load, set_text, variable_of_xtask,
};

/// The error of loading a library that inspecting lets pass, and its one line.
fn refused(path: &std::path::Path) -> (LoadError, String) {
    let file = inspect(path).unwrap();
    let error = Plugin::load(&file, None).err().expect("this plugin cannot be loaded");
    let text = line(&error);
    assert!(text.contains(path.to_str().unwrap()), "the file is named: {text}");
    (error, text)
}

#[test]
fn two_plugins_in_one_process_are_two() {
    let names = ["null", "memory", "faults", "null"].map(|name| {
        let (_, plugin) = load(&library(name));
        assert!(plugin.engine(name).is_ok());
        plugin.name().to_owned()
    });
    assert_eq!(names, ["null", "memory", "faults", "null"]);
}

#[test]
fn an_engine_that_a_plugin_lacks_is_told_with_those_that_it_has() {
    let (_, plugin) = load(&library("memory"));
    let error = plugin.engine("null").err().unwrap();
    assert_eq!(error.class, ErrorClass::Other);
    assert!(error.message.contains("null") && error.message.contains("memory"), "{error}");
}

#[test]
fn a_plugin_s_symbols_are_its_own() {
    load(&library("null"));
    let process = libloading::os::unix::Library::this();
    // SAFETY: the symbol is only looked for; its type is never made use of.
    let found = unsafe { process.get::<*const u8>(b"STOWMARK_MANIFEST") };
    assert!(found.is_err(), "RTLD_LOCAL keeps it out of the process's scope");
}

#[test]
fn a_missing_dependency_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let dependency =
        c_library(folder.path(), "stowmark_needs_me", "int needed(void) { return 1; }", &[]);
    let source = format!(
        "{}int needed(void); int use(void) {{ return needed(); }}",
        c_manifest(&json("needy"))
    );
    let search = format!("-L{}", folder.path().display());
    let arguments = [search.as_str(), "-lstowmark_needs_me"];
    let path = c_library(folder.path(), "stowmark_needy", &source, &arguments);
    fs::remove_file(&dependency).unwrap();

    let needed = inspect(&path).unwrap().needed;
    assert!(needed.contains(&"libstowmark_needs_me.so".into()), "{needed:?}");
    let (error, text) = refused(&path);
    let LoadError::MissingDependency { library, .. } = error else { panic!("{error:?}") };
    assert_eq!(library, "libstowmark_needs_me.so");
    assert!(text.contains("not installed"), "{text}");
}

#[test]
fn a_symbol_that_nothing_defines_is_named_at_once_and_not_in_mid_run() {
    let folder = tempfile::tempdir().unwrap();
    let source =
        format!("{}void nowhere(void); void f(void) {{ nowhere(); }}", c_manifest(&json("lazy")));
    let path = c_library(folder.path(), "stowmark_lazy", &source, &["-Wl,-z,lazy"]);
    let (error, text) = refused(&path);
    assert!(matches!(error, LoadError::Refused { .. }), "{error:?}");
    assert!(text.contains("undefined symbol: nowhere"), "{text}");
}

#[test]
fn a_manifest_without_a_root_module_is_no_plugin_that_can_be_called() {
    let folder = tempfile::tempdir().unwrap();
    let path = c_library(folder.path(), "stowmark_hollow", &c_manifest(&json("hollow")), &[]);
    let (error, text) = refused(&path);
    assert!(matches!(error, LoadError::NotCallable { .. }), "{error:?}");
    assert!(text.contains("root module"), "{text}");

    let source = format!(
        "{}const unsigned char {}[4096] = {{7}};",
        c_manifest(&json("alien")),
        stowmark_abi::ROOT_SYMBOL
    );
    let path = c_library(folder.path(), "stowmark_alien", &source, &[]);
    let (error, text) = refused(&path);
    assert!(matches!(error, LoadError::NotCallable { .. }), "{error:?}");
    assert!(text.contains("generation"), "{text}");
}

#[test]
fn a_plugin_that_is_not_the_inspected_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("memory"), &folder.path().join("libstowmark_x.so"), |bytes| {
        set_text(bytes, r#"{"name":"memory""#, r#"{"name":"memoir""#);
    });
    let (error, text) = refused(&path);
    assert!(matches!(error, LoadError::Replaced { .. }), "{error:?}");
    assert!(text.contains("memory") && text.contains("memoir"), "{text}");
}

#[test]
fn a_file_that_went_away_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("null"), &folder.path().join("libstowmark_gone.so"), |_| ());
    let file = inspect(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let error = Plugin::load(&file, None).err().unwrap();
    assert!(matches!(error, LoadError::Refused { .. }), "{error:?}");
    assert!(line(&error).contains("No such file"), "{error}");
}

#[test]
fn the_folder_of_plugins_is_where_the_variable_says() {
    let folders: Vec<_> =
        std::env::split_paths(&variable_of_xtask("STOWMARK_PLUGIN_PATH")).collect();
    let catalog = stowmark_host::Catalog::scan(&folders);
    for engine in ["null", "memory", "faults"] {
        assert!(catalog.find(engine).is_some(), "{engine}: {:?}", catalog.unreadable());
    }
}
