//! Endgame tables: whatever the bytes, an error of one line or a table that survives being written.

use afterstate::endgame::file::{self, FileError};

/// The bytes as they are, and again with the checksum made right, so that what comes after it is
/// met too.
pub(crate) fn endgame(data: &[u8]) {
    look(data);
    look(&mended(data));
}

fn look(data: &[u8]) {
    match file::read(&mut &data[..]) {
        Ok(climb) => {
            let mut bytes = Vec::new();
            file::write(&climb, &mut bytes).expect("what was read can be written");
            let again = file::read(&mut &bytes[..]).expect("what was written can be read");
            assert_eq!((climb.formation(), climb.spawn()), (again.formation(), again.spawn()));
            let mut twice = Vec::new();
            file::write(&again, &mut twice).expect("what was read can be written");
            assert!(bytes == twice, "another table came back");
            // Whatever the chances are, looking one up is safe.
            assert!((0.0..=1.0).contains(&climb.chance(&[0; 16]).unwrap_or(0.0)));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
            assert!(!matches!(error, FileError::Io(_)), "reading memory cannot fail: {message}");
        }
    }
}

/// The bytes with the last four the checksum of all before them.
fn mended(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    if let Some(body) = bytes.len().checked_sub(4) {
        let crc = crc32fast::hash(&bytes[..body]).to_le_bytes();
        bytes[body..].copy_from_slice(&crc);
    }
    bytes
}
