//! A drawing as a PNG file (ISO/IEC 15948): 8 bits for each of red, green and blue.

use super::Scene;
use super::raster::Canvas;
use miniz_oxide::deflate::compress_to_vec_zlib;

impl Scene {
    /// The drawing as a PNG file, each of its units so many pixels.
    pub(crate) fn to_png(&self, scale: f64) -> Vec<u8> {
        let canvas = Canvas::of(self, scale);
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        header.extend((canvas.width as u32).to_be_bytes());
        header.extend((canvas.height as u32).to_be_bytes());
        header.extend([8, 2, 0, 0, 0]); // 8 bits, red green blue
        chunk(&mut file, b"IHDR", &header);
        // Pixels per metre: prints as large as it is shown.
        let density = (scale * 96.0 / 0.0254).round() as u32;
        chunk(&mut file, b"pHYs", &[&density.to_be_bytes()[..], &density.to_be_bytes(), &[1]].concat());
        let stride = canvas.width * 3;
        let mut rows = Vec::with_capacity((stride + 1) * canvas.height);
        for row in canvas.bytes.chunks(stride) {
            rows.push(0); // as it is
            rows.extend(row);
        }
        chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&rows, 7));
        chunk(&mut file, b"IEND", &[]);
        file
    }
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let begins = file.len();
    file.extend(kind);
    file.extend(data);
    let checksum = crc32fast::hash(&file[begins..]);
    file.extend(checksum.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::super::{Ink, Shape};
    use super::*;

    #[test]
    fn the_pixels_are_in_the_file() {
        let shapes = vec![Shape::rectangle([0.0, 0.0], [2.0, 1.0], Ink::Series(0), 1.0)];
        let scene = Scene { width: 2.0, height: 2.0, about: String::new(), shapes };
        let file = scene.to_png(2.0);
        assert_eq!(&file[16..24], [0, 0, 0, 4, 0, 0, 0, 4]);
        let at = file.windows(4).position(|name| name == b"IDAT").unwrap();
        let length = u32::from_be_bytes(file[at - 4..at].try_into().unwrap()) as usize;
        let data = &file[at + 4..at + 4 + length];
        let checksum = u32::from_be_bytes(file[at + 4 + length..at + 8 + length].try_into().unwrap());
        assert_eq!(crc32fast::hash(&file[at..at + 4 + length]), checksum);
        let rows = miniz_oxide::inflate::decompress_to_vec_zlib(data).unwrap();
        let row = |colour: [u8; 3]| [&[0u8][..], &colour.repeat(4)].concat();
        let [blue, white] = [row(Ink::Series(0).rgb()), row([255; 3])];
        assert_eq!(rows, [blue.clone(), blue, white.clone(), white].concat());
    }
}
