//! Growth in both directions: a host loads a plugin that is newer than itself, and one that is
//! older. The newer ABI is a pretended 1.1 with one method and one root field more; whichever side
//! has it was built with the feature `test-next`.

use std::path::PathBuf;

use stowmark_host::AbiVersion;

use crate::support::{load, open_library, variable_of_xtask};

/// The plugin `memory` of ABI 1.1.
fn next_plugin() -> PathBuf {
    variable_of_xtask("STOWMARK_NEXT_ABI_PLUGIN").into()
}

/// A plugin works whole, whatever its age: both models, streams and errors.
fn check_works(path: &std::path::Path) {
    let store = open_library(path, &[], Box::new(|_, _, _| ()));
    crate::blobs::check_round_trip(&store);
    let schema = stowmark_host::Schema {
        name: "t".into(),
        key: stowmark_host::KeyKind::Generated,
        fields: Vec::new(),
        indexes: Vec::new(),
    };
    store.prepare(&schema).unwrap();
    store.record_session(0).unwrap();
    store.close().unwrap();
}

#[test]
fn a_plugin_of_the_next_minor_abi_loads_and_works() {
    let (file, plugin) = load(&next_plugin());
    assert_eq!(file.manifest.abi, AbiVersion { major: 1, minor: 1 });
    assert_eq!(plugin.name(), "memory");
    check_works(&file.path);
}

#[cfg(not(feature = "test-next"))]
#[test]
fn plugins_of_both_ages_live_in_one_process() {
    assert_eq!(AbiVersion::OURS, AbiVersion { major: 1, minor: 0 });
    let ours = crate::support::library("memory");
    for path in [&ours, &next_plugin(), &ours, &next_plugin()] {
        check_works(path);
    }
}

#[cfg(feature = "test-next")]
mod newer_host {
    //! This host is of ABI 1.1.

    use std::fs;

    use stowmark_host::{ErrorClass, LoadError, Plugin, inspect};

    use super::*;
    use crate::support::{changed, library_in, line, set_header};

    fn old_plugin(name: &str) -> PathBuf {
        library_in("STOWMARK_OLD_ABI_PLUGIN_DIR", name)
    }

    #[test]
    fn an_older_plugin_loads_and_what_it_lacks_answers_by_its_default() {
        assert_eq!(AbiVersion::OURS, AbiVersion { major: 1, minor: 1 });
        for name in ["memory", "null", "faults"] {
            let (file, plugin) = load(&old_plugin(name));
            assert_eq!(file.manifest.abi, AbiVersion { major: 1, minor: 0 });
            assert_eq!((plugin.name(), plugin.added_later()), (name, None));
            let error = plugin.engine(name).unwrap().added_later().unwrap_err();
            assert_eq!(error.class, ErrorClass::Unsupported);
        }
        check_works(&old_plugin("memory"));
    }

    #[test]
    fn a_plugin_of_the_same_age_answers_itself() {
        let (_, plugin) = load(&next_plugin());
        assert_eq!(plugin.added_later(), Some(11));
        assert_eq!(plugin.engine("memory").unwrap().added_later(), Ok(11));
    }

    #[test]
    fn plugins_of_both_ages_live_in_one_process() {
        for path in [old_plugin("memory"), next_plugin(), old_plugin("memory"), next_plugin()] {
            check_works(&path);
        }
    }

    /// The check the other way round is for plugins that say they are older, and no others.
    #[test]
    fn a_layout_that_does_not_fit_is_one_line_and_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libstowmark_liar.so");
        let liar = changed(&old_plugin("memory"), &path, |bytes| set_header(bytes, 24, 1));
        let file = inspect(&liar).unwrap();
        let error = Plugin::load(&file, Some(folder.path())).err().unwrap();
        let text = line(&error);
        assert!(text.contains("plugin memory (ABI 1.1)"), "{text}");
        assert!(text.contains("this stowmark (ABI 1.1)"), "{text}");
        let LoadError::Layout { details: Some(details), .. } = error else { panic!("{error:?}") };
        assert!(text.contains(details.to_str().unwrap()), "{text}");
        let whole = fs::read_to_string(&details).unwrap();
        assert!(whole.contains("too many fields"), "the file says why: {whole}");
        assert!(whole.lines().count() > 10);

        let nowhere = folder.path().join("absent");
        let error = Plugin::load(&file, Some(&nowhere)).err().unwrap();
        assert!(matches!(error, LoadError::Layout { details: None, .. }), "{error:?}");
    }
}
