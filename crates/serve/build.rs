//! Finds the engine for browsers, if `tools/wasm` has built it.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=engine");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where"));
    let engine = package.join("engine/afterstate.wasm");
    let found = match engine.is_file() {
        true => format!("Some(include_bytes!({:?}))", engine.display().to_string()),
        false => "None".into(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("engine.rs"), found).expect("the directory can be written");
}
