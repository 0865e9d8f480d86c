//! `convert` and `inspect` on models of every format, whole and damaged.

mod common;

use afterstate::grid::Shape;
use afterstate::network::{Network, Structure};
use afterstate_lab::model::{self, Format, Model};
use common::{json, run, text, trained};
use std::collections::BTreeMap;
use std::path::Path;

/// A small network with some weights, saved as our own file.
fn sample(path: &Path) {
    let network = Network::new(Structure::tuples(Shape::FOUR, "012 0145", 16).unwrap());
    for (i, entry) in network.table_entries(1).enumerate().step_by(7) {
        network.bank(0).set(entry, i as f32 / 3.0);
    }
    let metadata = [("game", "2048"), ("trained_games", "1234"), ("recipe", "alpha = 0.1\nbeta = 2\n")];
    let metadata: BTreeMap<_, _> = metadata.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    let model = Model { network, metadata, sums: Vec::new(), visits: Vec::new() };
    model::save(path, &model, Format::Ours).unwrap();
}

#[test]
fn a_model_goes_through_all_formats_and_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    sample(Path::new(&file("a.afterstate")));
    text(&["convert", &file("a.afterstate"), &file("b.safetensors")]);
    text(&["convert", &file("b.safetensors"), &file("c.afterstate"), "--sparse"]);
    text(&["convert", &file("c.afterstate"), &file("d.afterstate")]);
    assert_eq!(std::fs::read(file("a.afterstate")).unwrap(), std::fs::read(file("d.afterstate")).unwrap());
    // These two keep only the weights, and say so.
    let output = run(&["convert", &file("a.afterstate"), &file("e.w")]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("metadata recipe, trained_games"));
    let answer = json(&["convert", &file("e.w"), &file("f.bin.special")]);
    assert_eq!((answer["from"].as_str(), answer["weights"].as_u64()), (Some("TDL2048 .w"), Some(69632)));
    text(&["convert", &file("f.bin.special"), &file("g.w")]);
    assert_eq!(std::fs::read(file("e.w")).unwrap(), std::fs::read(file("g.w")).unwrap());
}

#[test]
fn redundant_tuples_are_folded_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let network = Network::new(Structure::tuples(Shape::FOUR, "01 0145", 16).unwrap());
    network.table_entries(0).for_each(|entry| network.bank(0).set(entry, 1.0));
    let model = Model { network, metadata: BTreeMap::new(), sums: Vec::new(), visits: Vec::new() };
    model::save(Path::new(&file("two")), &model, Format::Ours).unwrap();
    let answer = json(&["convert", &file("two"), &file("one"), "--fold"]);
    assert_eq!(answer["weights"], 65536);
    let value = |name: &str| {
        let answer = json(&["analyze", "0x1234123412341234", "--game", "2048", "--model", &file(name)]);
        answer["positions"][0]["moves"].clone()
    };
    assert_eq!(value("one"), value("two"));
}

#[test]
fn inspect_tells_structure_history_and_checksum() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model");
    let name = path.to_str().unwrap();
    sample(&path);
    let answer = json(&["inspect", name]);
    assert_eq!(answer["game"], "2048");
    assert_eq!(answer["patterns"], serde_json::json!(["012", "0145"]));
    assert_eq!(answer["stages"], 1);
    assert_eq!(answer["weights"], 4096 + 65536);
    assert_eq!(answer["trained_games"], 1234);
    assert_eq!(answer["checksum_ok"], true);
    assert_eq!(answer["weights_used"], 65536 / 7);
    let page = text(&["inspect", name]);
    assert!(page.contains("69,632") && page.contains("alpha = 0.1 …"), "{page}");

    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let output = run(&["inspect", name, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["checksum_ok"], &answer["weights"]), (&false.into(), &69632.into()));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("table 1 in bank 0") && complaint.contains("copy it again"), "{complaint}");
}

#[test]
fn wrong_files_get_one_clear_line() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("text"), "no model at all").unwrap();
    sample(Path::new(&file("good")));
    // A table of one cell in a file of TDL2048, whose weights are no numbers.
    let table = [&[0, 1, 0, 0, 0, 4, 3, 0, 0, 0, 8, 0, 0, 0, 4, 0][..], &16u64.to_le_bytes()].concat();
    let weights = f32::NAN.to_le_bytes().repeat(16);
    std::fs::write(file("nan.w"), [&table[..], &weights, &[0, 0]].concat()).unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["inspect", &file("text")], 1, "is no model"),
        (&["inspect", &file("missing")], 1, "No such file"),
        (&["inspect", &file("nan.w")], 1, "infinite"),
        (&["evaluate", "--model", &file("nan.w"), "--games", "1"], 1, "infinite"),
        (&["inspect", directory.path().to_str().unwrap()], 1, "directory"),
        (&["inspect"], 2, "<MODEL>"),
        (&["convert", &file("good")], 2, "<OUT>"),
        (&["convert", &file("text"), &file("out")], 1, "is no model"),
        (&["convert", &file("good"), &file("no/such/place")], 1, "cannot write"),
        (&["convert", &file("good"), &file("x.w"), "--sparse"], 2, "--sparse"),
    ];
    for (args, status, word) in cases {
        let output = run(args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*status), "{args:?}: {complaint}");
        assert!(complaint.contains(word) && complaint.lines().count() == 1, "{args:?}: {complaint}");
        assert!(output.stdout.is_empty());
    }
}

/// A file may hold whatever moves the cursor, changes the title or asks the terminal to type: none
/// of it gets there.
#[test]
fn what_a_file_says_cannot_drive_the_terminal() {
    let place = tempfile::tempdir().unwrap();
    let (model, recipe) = (place.path().join("m.afterstate"), place.path().join("r.toml"));
    trained(&model, "2048", "01", 1, "\u{1b}]0;mine\u{7}\u{9b}2J");
    let shown = text(&["inspect", model.to_str().unwrap()]);
    assert!(shown.contains("\\u{1b}]0;mine\\u{7}"), "{shown}");
    std::fs::write(&recipe, "[network]\npatterns = \"4x4\"\nfeatures = [\"\\u001b[2J\"]\n[run]\ngames = 1\n")
        .unwrap();
    let output =
        run(&["train", recipe.to_str().unwrap(), "--run", place.path().join("run").to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("\\u{1b}[2J"), "{said}");
    for text in [shown, said] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
}

#[test]
fn a_packed_model_is_as_small_as_wanted() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (model, packed) = (file("a.afterstate"), file("p.afterstate"));
    sample(Path::new(&model));
    let convert = |mib| run(&["convert", &model, &packed, "--pack", mib]);
    let sizes = ["0.02", "1"].map(|mib| {
        assert!(convert(mib).status.success());
        std::fs::metadata(&packed).unwrap().len()
    });
    assert!(sizes[0] <= 20_971 && sizes[1] > sizes[0] && sizes[1] <= 1 << 20, "{sizes:?}");
    for mib in ["0", "nan"] {
        let refused = convert(mib);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("size in MiB above zero"), "{mib}");
    }
}
