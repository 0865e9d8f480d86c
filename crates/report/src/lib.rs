//! Reports: tables, figures and games of runs, as one page of HTML, as Markdown, and as pictures.
//!
//! ```
//! use afterstate_report::{Axis, Cell, Chart, Document, Figure, Series, Table};
//!
//! let mut document = Document::new("Three runs", "Afterstates learn best.");
//! let mut table = Table::new("Average score of 1,000 games, seed 1.", ["values", "ours", "the paper's"]);
//! table.row(["afterstates".into(), Cell::mean(51_320.0, Some([50_123.0, 52_517.0]), 0), Cell::number(51_320.0, 0)]);
//! document.push(table);
//! document.push(Figure {
//!     name: "learning".into(),
//!     caption: "Average score while learning.".into(),
//!     chart: Chart::Lines {
//!         x: Axis::new("training games"),
//!         y: Axis::new("average score"),
//!         series: vec![Series::new("afterstates", [(1000.0, 6300.0), (2000.0, 9324.0)])],
//!     },
//! });
//! let page = document.to_html();
//! assert!(page.contains("51,320 ± 1,197"));
//! let place = tempfile::tempdir().unwrap();
//! document.write(place.path()).unwrap(); // report.html, report.md, figures/learning.svg, figures/learning.png
//! assert!(place.path().join("figures/learning.svg").exists());
//! ```

mod board;
mod chart;
mod document;
mod draw;
mod gather;
mod html;
mod markdown;
mod text;
mod write;

pub use document::{
    Axis, Bar, Bars, Block, Cell, Chart, Document, Figure, Game, Point, Sample, Series, Settings, Table, Unit,
};
pub use gather::{ReportError, ReportOptions, Sources};
pub use write::{Picture, WriteError, Written, prepare};
