//! The fuzz bodies of `fuzz/` for the server, run briefly without a fuzzer.

#[path = "../../../fuzz/driver.rs"]
mod driver;
#[path = "../../../fuzz/http.rs"]
mod http;

#[test]
fn request() {
    driver::run("request", 4096, http::request);
}

#[test]
fn served_log() {
    driver::run("served_log", 4096, http::served_log);
}
