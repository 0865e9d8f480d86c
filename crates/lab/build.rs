//! Finds the recipes and the models that are built in: inside the package, or in the repository
//! around it.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The games that have a model in `models/`.
const MODELS: [&str; 6] = ["2048", "2048-3x3", "2048-4x3", "2048-5x5", "2048-6x6", "threes"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let recipes = places("recipes").into_iter().find(|place| place.is_dir()).expect("recipes are there");
    println!("cargo::rustc-env=AFTERSTATE_RECIPES={}", recipes.display());
    let wanted = env::var_os("CARGO_FEATURE_BUILTIN_MODELS").is_some();
    let models: String =
        MODELS.iter().map(|name| format!("({name:?}, {}),\n", model(name, wanted))).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("models.rs"), format!("[{models}]")).expect("the directory can be written");
}

/// A model as an expression: its bytes, or nothing if the package is without it.
fn model(name: &str, wanted: bool) -> String {
    let files = places("models").into_iter().map(|place| place.join(format!("{name}.afterstate")));
    let found = files.filter(|_| wanted).find(|file| {
        println!("cargo::rerun-if-changed={}", file.display());
        file.is_file()
    });
    found.map_or("None".into(), |file| format!("Some(include_bytes!({:?}))", file.display().to_string()))
}

/// A directory of the package, and the one of the repository for which it stands.
fn places(name: &str) -> [PathBuf; 2] {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where"));
    [package.join(name), package.join(Path::new("../..")).join(name)]
}
