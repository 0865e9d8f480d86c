//! The words of the page: every text it asks for exists in both languages, and none is left over.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("page")
}

/// Keys with their texts, as `words.js` lists them.
fn table() -> Vec<(String, Vec<String>)> {
    let source = fs::read_to_string(page().join("js/words.js")).unwrap();
    let begin = source.find("const WORDS = {").unwrap();
    let end = begin + source[begin..].find("\n};").unwrap();
    let texts = quoted(&source[begin..end]);
    assert_eq!(texts.len() % 3, 0, "a line of words.js has no key and two texts");
    texts.chunks(3).map(|line| (line[0].clone(), line[1..].to_vec())).collect()
}

/// The texts in single quotes, in order.
fn quoted(source: &str) -> Vec<String> {
    source.split('\'').skip(1).step_by(2).map(Into::into).collect()
}

/// Every file of the page that asks for words.
fn sources() -> String {
    let scripts = fs::read_dir(page().join("js")).unwrap().flatten().map(|entry| entry.path());
    let scripts = scripts.filter(|path| !path.ends_with("words.js"));
    let mut all: Vec<String> = scripts.map(|path| fs::read_to_string(path).unwrap()).collect();
    all.push(fs::read_to_string(page().join("index.html")).unwrap());
    let words = fs::read_to_string(page().join("js/words.js")).unwrap();
    all.push(words[words.find("\n};").unwrap()..].to_string());
    all.join("\n")
}

/// Keys that are written out: arguments of `t(…)`, and `data-t…` of elements.
fn asked(source: &str) -> BTreeSet<String> {
    let after = |mark: &str, end: char| -> Vec<String> {
        source
            .split(mark)
            .skip(1)
            .filter_map(|rest| rest.split_once(end).map(|(key, _)| key.to_string()))
            .collect()
    };
    let mut keys = after("data-t=\"", '"');
    keys.extend(after("data-t-label=\"", '"'));
    // `t('key')`, `t(condition ? 'one' : 'other')`: the texts in quotes until the call or its first
    // brace ends.
    for call in source.split("t(").skip(1) {
        let call = call.split([')', '{']).next().unwrap_or("");
        keys.extend(quoted(call));
    }
    keys.into_iter().filter(|key| is_key(key)).collect()
}

fn is_key(text: &str) -> bool {
    text.contains('.')
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c))
}

#[test]
fn every_text_is_there_in_both_languages() {
    let table = table();
    assert!(table.len() > 200, "{} texts", table.len());
    let names = |text: &str| -> BTreeSet<String> {
        let braces = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        braces.map(|(name, _)| name.to_string()).collect()
    };
    let mut seen = BTreeSet::new();
    for (key, texts) in &table {
        assert!(seen.insert(key.clone()), "{key} stands twice");
        assert!(texts.iter().all(|text| !text.trim().is_empty()), "{key} lacks a language");
        assert_eq!(names(&texts[0]), names(&texts[1]), "{key} fills in different names");
    }
}

#[test]
fn no_key_is_missing_and_none_is_left_over() {
    let known: BTreeSet<String> = table().into_iter().map(|(key, _)| key).collect();
    let source = sources();
    let missing: Vec<String> = asked(&source).difference(&known).cloned().collect();
    assert!(missing.is_empty(), "no words for {missing:?}");
    // A key whose end is put together at run time is used if its beginning is.
    let begun: Vec<&str> = source.split("t(`").skip(1).filter_map(|rest| rest.split("${").next()).collect();
    let unused = |key: &String| {
        !source.contains(&format!("'{key}'"))
            && !source.contains(&format!("\"{key}\""))
            && !begun.iter().any(|begin| !begin.is_empty() && key.starts_with(begin))
    };
    let left: Vec<&String> = known.iter().filter(|key| unused(key)).collect();
    assert!(left.is_empty(), "nobody says {left:?}");
}
