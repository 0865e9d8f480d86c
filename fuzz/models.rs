//! Model files of our own format: whatever the bytes, an error of one line or a model that survives
//! being written.

#![allow(dead_code)] // each target uses its part

use afterstate::network::Network;
use afterstate::network::file::{self, Contents, Encoding, FileError, Header, Loaded};

/// More than any file of the corpus describes; the program allows far more.
const LIMIT: u64 = 1 << 20;

/// The bytes as they are, and again with the checksums made right, so that what comes after them is
/// met too.
pub(crate) fn model(data: &[u8]) {
    look(data);
    look(&mended(data));
}

fn look(data: &[u8]) {
    let loaded = match file::read_limited(&mut &data[..], LIMIT) {
        Ok(loaded) => loaded,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
            assert!(!matches!(error, FileError::Io(_)), "reading memory cannot fail: {message}");
            return;
        }
    };
    let Loaded { network, metadata, sums, visits } = &loaded;
    let contents = Contents { network, metadata, sums, visits };
    for encoding in [Encoding::Raw, Encoding::Sparse] {
        let mut bytes = Vec::new();
        file::write(&contents, encoding, &mut bytes).expect("what was read can be written");
        let again = file::read_limited(&mut &bytes[..], LIMIT).expect("what was written can be read");
        assert_eq!(again.metadata, loaded.metadata);
        let mut twice = Vec::new();
        let Loaded { network, metadata, sums, visits } = &again;
        let contents = Contents { network, metadata, sums, visits };
        file::write(&contents, encoding, &mut twice).expect("what was read can be written");
        assert!(bytes == twice, "another model came back");
    }
}

/// The bytes with every checksum as it should be, as far as they can be followed.
pub(crate) fn mended(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    let _ = mend(&mut bytes);
    bytes
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Puts the checksum of `from..to` at `to`.
fn seal(bytes: &mut [u8], from: usize, to: usize) -> Option<usize> {
    let crc = crc32fast::hash(bytes.get(from..to)?).to_le_bytes();
    bytes.get_mut(to..to + 4)?.copy_from_slice(&crc);
    Some(to + 4)
}

fn mend(bytes: &mut [u8]) -> Option<()> {
    let length = word(bytes, 8)? >> 32;
    let end = 16 + usize::try_from(length).ok()?;
    let mut at = seal(bytes, 0, end)?;
    let header = Header::parse(str::from_utf8(&bytes[16..end]).ok()?).ok()?;
    if header.memory() > LIMIT {
        return None;
    }
    let kinds = 1 + usize::from(header.sums) + usize::from(header.visits);
    let network = Network::new(header.structure);
    for section in 0..kinds * network.structure().banks() * network.tables() {
        let (encoding, count) = (*bytes.get(at + 1)?, network.table_len(section % network.tables()));
        let size = u32::from_le_bytes(bytes.get(at + 16..at + 20)?.try_into().ok()?) as usize;
        let start = seal(bytes, at, at + 20)?;
        let mut to = start.next_multiple_of(64);
        match encoding {
            0 => to += count.checked_mul(size)?,
            1 => loop {
                let number = u32::from_le_bytes(bytes.get(to..to + 4)?.try_into().ok()?);
                to += 4;
                if number == u32::MAX {
                    break;
                }
                let mask = word(bytes, to)?;
                to = to.checked_add(8 + (mask.count_ones() as usize).checked_mul(size)?)?;
            },
            _ => {
                let open = usize::try_from(word(bytes, to + 12)?.checked_add(word(bytes, to + 20)?)?).ok()?;
                to = to.checked_add(28 + 2 * (64 + 8 * 128))?.checked_add(open)?;
            }
        }
        at = seal(bytes, start, to)?;
    }
    Some(())
}
