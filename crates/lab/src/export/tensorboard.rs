//! Scalars that TensorBoard opens: its event files, written by hand.
//!
//! A file is a sequence of records (length, checksum, data, checksum); the data is a
//! protocol buffer `Event { wall_time = 1, step = 2, file_version = 3, summary = 5,
//! session_log = 7 }` with `summary.value { tag = 1, simple_value = 2 }`. That is all
//! that scalars need, and it has not changed since 2015.

use std::io::{self, Write};

/// Writes events to a stream.
pub struct EventWriter<W: Write> {
    out: W,
}

impl<W: Write> EventWriter<W> {
    /// Begins a file; `resumed_at` tells readers to forget earlier files' events from this step on.
    pub fn new(out: W, wall_time: f64, resumed_at: Option<u64>) -> io::Result<Self> {
        let mut writer = Self { out };
        let mut event = event(wall_time, 0);
        bytes_field(&mut event, 3, b"brain.Event:2");
        writer.record(&event)?;
        if let Some(step) = resumed_at {
            const START: u64 = 1;
            let mut log = Vec::new();
            varint_field(&mut log, 1, START);
            let mut event = self::event(wall_time, step);
            bytes_field(&mut event, 7, &log);
            writer.record(&event)?;
        }
        Ok(writer)
    }

    /// Scalars of one step.
    pub fn scalars(&mut self, wall_time: f64, step: u64, values: &[(&str, f64)]) -> io::Result<()> {
        let mut summary = Vec::new();
        for (tag, number) in values {
            let mut value = Vec::new();
            bytes_field(&mut value, 1, tag.as_bytes());
            value.push(2 << 3 | 5);
            value.extend((*number as f32).to_le_bytes());
            bytes_field(&mut summary, 1, &value);
        }
        let mut event = event(wall_time, step);
        bytes_field(&mut event, 5, &summary);
        self.record(&event)?;
        self.out.flush()
    }

    /// The stream.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    fn record(&mut self, data: &[u8]) -> io::Result<()> {
        let length = (data.len() as u64).to_le_bytes();
        self.out.write_all(&length)?;
        self.out.write_all(&masked_crc(&length).to_le_bytes())?;
        self.out.write_all(data)?;
        self.out.write_all(&masked_crc(data).to_le_bytes())
    }
}

fn event(wall_time: f64, step: u64) -> Vec<u8> {
    let mut event = vec![1 << 3 | 1];
    event.extend(wall_time.to_le_bytes());
    varint_field(&mut event, 2, step);
    event
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn varint_field(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

fn bytes_field(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

/// CRC-32C, rotated and shifted as the format wants it.
fn masked_crc(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C (Castagnoli), bit by bit: records are short.
fn crc32c(data: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 & 0u32.wrapping_sub(crc & 1));
    !data.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_castagnolis() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn a_file_is_what_the_format_says_byte_by_byte() {
        let mut file = Vec::new();
        let mut writer = EventWriter::new(&mut file, 1.5, None).unwrap();
        writer.scalars(2.0, 300, &[("a", 0.5)]).unwrap();
        let first = 8 + 4 + 9 + 2 + 15 + 4;
        assert_eq!(&file[..8], &26u64.to_le_bytes());
        assert_eq!(&file[12..21], &[&[9u8][..], &1.5f64.to_le_bytes()].concat()[..]);
        assert_eq!(&file[23..25], [3 << 3 | 2, 13]);
        assert_eq!(&file[25..38], b"brain.Event:2");
        let second = &file[first + 12..];
        assert_eq!(second[9..12], [2 << 3, 300u16 as u8 & 0x7f | 0x80, 2]);
        assert_eq!(second[12..22], [5 << 3 | 2, 10, 1 << 3 | 2, 8, 1 << 3 | 2, 1, b'a', 2 << 3 | 5, 0, 0]);
        assert_eq!(second[22..24], [0, 0x3f]);
    }
}
