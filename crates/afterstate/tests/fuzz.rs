//! The fuzz bodies of `fuzz/` that need the library alone, run briefly without a fuzzer.

#[path = "../../../fuzz/bodies.rs"]
mod bodies;
#[path = "../../../fuzz/driver.rs"]
mod driver;
#[path = "../../../fuzz/endgames.rs"]
mod endgames;
#[path = "../../../fuzz/models.rs"]
mod models;

#[test]
fn notation() {
    driver::run("notation", 300, bodies::notation);
}

#[test]
fn rules() {
    driver::run("rules", 300, bodies::rules_against_reference);
}

#[test]
fn model() {
    driver::run("model", 8192, models::model);
}

#[test]
fn endgame() {
    driver::run("endgame", 8192, endgames::endgame);
}
