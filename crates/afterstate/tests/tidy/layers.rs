//! Layers of the crates, from the ground up.
//!
//! A module may use the modules of the layers below its own, never its neighbours or those above,
//! so that there are no cycles. Every module stands in one layer.

/// A crate whose modules stand in layers.
pub(crate) struct Layered {
    /// Directory of its sources.
    pub(crate) sources: &'static str,
    /// Modules of each layer in words, the lowest first.
    pub(crate) layers: &'static [&'static str],
}

impl Layered {
    /// The layer of a module.
    pub(crate) fn layer(&self, module: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.split(' ').any(|name| name == module))
    }

    /// All modules.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &'static str> {
        self.layers.iter().flat_map(|layer| layer.split(' '))
    }
}

/// A macro stands at the root of its crate, and in this module.
pub(crate) const MACROS: [(&str, &str); 1] = [("with_game", "game")];

/// The crates in layers. `crates/python` is none: its types lead to each other as Python's do.
pub(crate) const LAYERED: [Layered; 7] = [LIBRARY, LAB, REPORT, REPRODUCE, SERVE, CLI, WASM];

/// Modules of the library that stay apart although their layers would allow it.
pub(crate) const APART: [(&str, &str); 1] = [("search", "network")];

const LIBRARY: Layered = Layered {
    sources: "crates/afterstate/src",
    layers: &[
        "budget grid processor random statistics threads",
        "game network",
        "batch endgame perft solve task value",
        "learn search",
        "exchange player",
        "episode",
        "evaluate train",
        "signature stage_gap",
    ],
};

const LAB: Layered = Layered {
    sources: "crates/lab/src",
    layers: &[
        "analysis disk game_times host memory number shard_index variant",
        "atomic recipe replay results",
        "climbs endgames metadata shard",
        "compat import model_card",
        "export",
        "model",
        "builtin join pack",
        "mapped model_source",
        "engine",
        "api run",
        "stage_gap sweep",
        "compare",
    ],
};

const REPORT: Layered = Layered {
    sources: "crates/report/src",
    layers: &["document text", "draw", "board chart", "html markdown", "write", "gather"],
};

const REPRODUCE: Layered = Layered {
    sources: "crates/reproduce/src",
    layers: &[
        "reporter target",
        "papers setting",
        "training",
        "curve play",
        "cell found timing",
        "estimate figure",
        "claims page",
        "execute",
    ],
};

const SERVE: Layered = Layered {
    sources: "crates/serve/src",
    layers: &[
        "client compress health metrics options problem run_path wire write_timeout",
        "assets body pool request_log run_files",
        "guard",
        "engine_pool site",
        "api",
        "listen",
    ],
};

const CLI: Layered = Layered {
    sources: "crates/cli/src",
    layers: &["interrupt output terminal wire", "failure", "cli", "command"],
};

const WASM: Layered = Layered { sources: "crates/wasm/src", layers: &["host service", "exports"] };

/// A crate, and all that it needs: of ours and of others, in alphabetical order.
pub(crate) struct Needs {
    pub(crate) directory: &'static str,
    pub(crate) ours: &'static str,
    pub(crate) others: &'static str,
}

/// From the ground up: a crate may need only those before it. Tests may need more, but of ours only
/// the trials, and those it needs anyhow with other features.
pub(crate) const CRATES: [Needs; 9] = [
    Needs { directory: "afterstate", ours: "", others: "crc32fast memmap2 thiserror" },
    Needs {
        directory: "lab",
        ours: "afterstate",
        others: "crc32fast rustix safetensors serde serde_json thiserror toml",
    },
    Needs {
        directory: "report",
        ours: "afterstate afterstate-lab",
        others: "crc32fast miniz_oxide serde serde_json thiserror toml",
    },
    Needs {
        directory: "reproduce",
        ours: "afterstate afterstate-lab afterstate-report",
        others: "serde serde_json thiserror",
    },
    Needs {
        directory: "serve",
        ours: "afterstate afterstate-lab",
        others: "axum crc32fast hyper hyper-util miniz_oxide rustix serde serde_json tokio",
    },
    Needs { directory: "python", ours: "afterstate afterstate-lab", others: "numpy pyo3 serde_json" },
    Needs { directory: "wasm", ours: "afterstate afterstate-lab", others: "serde serde_json" },
    Needs {
        directory: "trials",
        ours: "afterstate afterstate-lab afterstate-report",
        others: "serde_json tempfile",
    },
    Needs {
        directory: "cli",
        ours: "afterstate afterstate-lab afterstate-report afterstate-reproduce afterstate-serve",
        others: "anyhow clap clap_complete clap_mangen ratatui rustix serde serde_json signal-hook",
    },
];
