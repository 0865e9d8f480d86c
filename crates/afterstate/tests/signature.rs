//! The signature of today's behaviour: a functional change changes it on purpose or not at all.

#[test]
fn the_signature_is_known() {
    let found = format!("{:016x}", afterstate::signature::signature());
    let known = include_str!("data/signature.txt").trim();
    assert_eq!(
        found, known,
        "if the change is functional, write the new signature to tests/data/signature.txt"
    );
}
