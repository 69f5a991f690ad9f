//! Plugins that are nowhere: their manifests are all that a plan needs.

use stowmark_host::{
    AbiVersion, Catalog, EngineManifest, Manifest, OptionManifest, PluginFile, TierManifest,
};

pub(super) fn option(name: &str, kind: &str, default: Option<&str>) -> OptionManifest {
    OptionManifest {
        name: name.into(),
        kind: kind.into(),
        unit: None,
        default: default.map(Into::into),
        min: None,
        max: (kind == "size").then(|| "1G".into()),
        values: Vec::new(),
        help: String::new(),
    }
}

pub(super) fn engine(name: &str, tiers: &[&str], options: Vec<OptionManifest>) -> EngineManifest {
    let tier = |tier: &&str| TierManifest { tier: (*tier).into(), how: String::new() };
    EngineManifest {
        name: name.into(),
        help: String::new(),
        library: None,
        models: vec!["blobs".into()],
        stores: true,
        options,
        tiers: tiers.iter().map(tier).collect(),
        default_tier: tiers[0].into(),
        services: Vec::new(),
    }
}

pub(super) fn plugin(engine: EngineManifest) -> PluginFile {
    let manifest = Manifest {
        name: engine.name.clone(),
        version: "1.2.3".into(),
        kit: String::new(),
        rustc: String::new(),
        profile: "release".into(),
        abi: AbiVersion::OURS,
        engines: vec![engine],
    };
    let path = format!("/plugins/libstowmark_{}.so", manifest.name).into();
    PluginFile { path, manifest, needed: Vec::new() }
}

/// Plugins of four engines and the floor.
pub(super) fn catalog() -> Catalog {
    let chunked = || {
        vec![
            option("chunk", "size", Some("64k")),
            option("cache", "size", Some("16M")),
            option("linger", "duration", Some("10ms")),
            option("path", "path", None),
        ]
    };
    let table = EngineManifest {
        models: vec!["records".into()],
        ..engine("table", &["media"], Vec::new())
    };
    let floor = EngineManifest {
        stores: false,
        ..engine(
            "null",
            &["unacknowledged", "os", "media"],
            vec![option("chunk", "size", None), option("floor-only", "text", None)],
        )
    };
    let engines = [
        engine("shelf", &["os", "media"], chunked()),
        engine("drawer", &["acknowledged", "media"], Vec::new()),
        engine("heap", &["acknowledged"], Vec::new()),
        table,
        floor,
    ];
    Catalog::from_plugins(engines.into_iter().map(plugin).collect())
}
