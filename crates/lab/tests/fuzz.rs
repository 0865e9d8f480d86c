//! The fuzz bodies of `fuzz/` for files, run briefly without a fuzzer.

#[path = "../../../fuzz/driver.rs"]
mod driver;
#[path = "../../../fuzz/files.rs"]
mod files;

#[test]
fn tdl2048() {
    driver::run("tdl2048", 8192, files::tdl2048);
}

#[test]
fn special() {
    driver::run("special", 8192, files::special);
}

#[test]
fn safetensors() {
    driver::run("safetensors", 8192, files::safetensors);
}

#[test]
fn recipe() {
    driver::run("recipe", 4096, files::recipe);
}

#[test]
fn shard() {
    driver::run("shard", 2000, files::shard);
}

#[test]
fn replay() {
    driver::run("replay", 2000, files::replay);
}

#[test]
fn run_log() {
    driver::run("run_log", 4096, files::run_log);
}
