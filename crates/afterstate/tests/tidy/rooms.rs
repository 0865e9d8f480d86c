//! Who may know whom: every crate and every module of the layered crates, from the ground up.
//!
//! The lists are exact. A module may know only those before it, so that there are no circles; what it may know it
//! does know, so that nothing is allowed that nobody needs; and every module that exists is listed.

/// The modules of a crate, and what each knows of the others.
pub(crate) struct House {
    /// Where its sources are.
    pub(crate) sources: &'static str,
    pub(crate) modules: &'static [(&'static str, &'static [&'static str])],
}

/// A macro stands at the root of its crate, and in this module.
pub(crate) const MACROS: [(&str, &str); 1] = [("with_game", "game")];

/// The crates in layers. `crates/python` is none: its types lead to each other as Python's do.
pub(crate) const HOUSES: [House; 4] = [LIBRARY, LAB, SERVE, CLI];

const LIBRARY: House = House {
    sources: "crates/afterstate/src",
    modules: &[
        ("grid", &[]),
        ("processor", &[]),
        ("random", &[]),
        ("statistics", &[]),
        ("game", &["grid", "processor", "random"]),
        ("endgame", &["grid", "game"]),
        ("network", &["grid"]),
        ("batch", &["random", "game"]),
        ("task", &["grid", "random", "game"]),
        ("learn", &["grid", "random", "game", "network", "task"]),
        ("perft", &["random", "game"]),
        ("solve", &["grid", "game"]),
        ("value", &["game"]),
        ("exchange", &["network", "learn"]),
        ("judge", &["processor", "game", "network", "value"]),
        ("player", &["grid", "random", "game", "value"]),
        ("search", &["grid", "game", "value"]),
        ("episode", &["grid", "random", "game", "player"]),
        ("learned", &["grid", "processor", "random", "game", "network", "learn", "player"]),
        ("lookahead", &["random", "game", "value", "player", "search", "endgame"]),
        ("train", &["processor", "random", "game", "task", "learn", "player", "search", "lookahead"]),
        ("boundary", &["statistics", "game", "network", "learn", "train"]),
        ("evaluate", &["random", "statistics", "game", "task", "player", "episode"]),
        (
            "signature",
            &[
                "grid",
                "random",
                "game",
                "network",
                "learn",
                "player",
                "search",
                "train",
                "episode",
                "lookahead",
            ],
        ),
    ],
};

const LAB: House = House {
    sources: "crates/lab/src",
    modules: &[
        ("agent", &[]),
        ("analysis", &[]),
        ("disk", &[]),
        ("number", &[]),
        ("part", &[]),
        ("results", &[]),
        ("variant", &[]),
        ("atomic", &["disk"]),
        ("endgames", &["atomic"]),
        ("recipe", &["variant"]),
        ("replay", &["variant"]),
        ("shard", &["part", "results", "variant"]),
        ("metadata", &["recipe"]),
        ("card", &["number", "atomic", "recipe", "metadata"]),
        ("fit", &["variant", "metadata"]),
        ("import", &["metadata"]),
        ("export", &["metadata", "import"]),
        ("model", &["atomic", "metadata", "import", "export"]),
        ("builtin", &["fit", "model"]),
        ("pack", &["model"]),
        ("join", &["metadata", "model"]),
        ("run", &["agent", "disk", "atomic", "recipe", "shard", "metadata", "card", "export", "model"]),
        ("jumps", &["recipe", "metadata", "run"]),
        ("mind", &["agent", "variant", "endgames", "fit", "model", "builtin"]),
        ("sweep", &["disk", "recipe", "run"]),
        ("compare", &["agent", "variant", "replay", "shard", "model", "sweep"]),
        ("report", &["disk", "number", "variant", "atomic", "replay", "shard", "mind"]),
        ("reproduce", &["recipe", "shard", "run", "mind", "report"]),
    ],
};

const SERVE: House = House {
    sources: "crates/serve/src",
    modules: &[
        ("metrics", &[]),
        ("options", &[]),
        ("patience", &[]),
        ("problem", &[]),
        ("wire", &[]),
        ("assets", &["problem"]),
        ("body", &["problem"]),
        ("guard", &["problem"]),
        ("run_path", &["problem"]),
        ("minds", &["options", "problem", "run_path", "wire"]),
        ("pool", &["metrics", "options", "problem"]),
        ("api", &["problem", "run_path", "wire", "assets", "body", "guard"]),
        ("listen", &["metrics", "options", "patience", "problem", "minds", "pool", "api"]),
    ],
};

const CLI: House = House {
    sources: "crates/cli/src",
    modules: &[
        ("interrupt", &[]),
        ("output", &[]),
        ("terminal", &[]),
        ("wire", &[]),
        ("failure", &["terminal"]),
        ("cli", &["output", "failure"]),
        ("command", &["interrupt", "output", "terminal", "wire", "failure", "cli"]),
    ],
};

/// A crate, and all that it needs: of ours and of others.
pub(crate) struct Needs {
    pub(crate) directory: &'static str,
    pub(crate) ours: &'static [&'static str],
    pub(crate) others: &'static [&'static str],
}

/// From the ground up: a crate may need only those before it. Tests may need more, but of ours only the trials.
pub(crate) const CRATES: [Needs; 6] = [
    Needs { directory: "afterstate", ours: &[], others: &["crc32fast", "libc"] },
    Needs {
        directory: "lab",
        ours: &["afterstate"],
        others: &[
            "crc32fast",
            "miniz_oxide",
            "rustix",
            "safetensors",
            "serde",
            "serde_json",
            "thiserror",
            "toml",
        ],
    },
    Needs {
        directory: "serve",
        ours: &["afterstate", "afterstate-lab"],
        others: &["axum", "hyper", "hyper-util", "serde", "serde_json", "tokio"],
    },
    Needs {
        directory: "python",
        ours: &["afterstate", "afterstate-lab"],
        others: &["numpy", "pyo3", "serde_json"],
    },
    Needs {
        directory: "trials",
        ours: &["afterstate", "afterstate-lab"],
        others: &["serde_json", "tempfile"],
    },
    Needs {
        directory: "cli",
        ours: &["afterstate", "afterstate-lab", "afterstate-serve"],
        others: &["anyhow", "clap", "crossterm", "indicatif", "serde", "serde_json", "signal-hook"],
    },
];
