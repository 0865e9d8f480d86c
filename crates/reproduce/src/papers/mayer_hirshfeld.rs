//! Mayer-Hirshfeld et al.

use super::super::target::{
    Cell, Curves, Follow, Given, Measure, Paper, PaperTable, PaperTarget, Part, Play, Player, Quantity,
    Source, Spread, SpreadShape, Times, Training, plain,
};
use super::{diagram, target, trained};

static PAPER: Paper = Paper {
    key: "mayer-hirshfeld",
    citation: "R. Mayer-Hirshfeld, J. Navarro, M. Saleh, AI Agent for 2048: A comparison between Brute Force Search and Q-Learning over an expanded game space",
    says_games: false,
    remarks: &[
        "Their heuristic is described in words only (empty cells, largest tile in a corner, monotone lines, mergeable neighbours): ours has these \
         four parts with weights of our own, so expectimax scores cannot be expected to agree.",
        "Expectimax is the player `mayer-hirshfeld`. Like theirs it takes a position for known whatever the probability it was reached with; \
         its memory begins empty at every move, so that a game is a function of its seed on any number of threads.",
        "Tables of Q-learning hold 12, 13 and 13 ranks on 4×4, 5×5 and 6×6 (theirs 12, 13 and 15): larger tiles read alike, so that 6×6 fits in 8 GiB.",
        "On 6×6 there are 40 rectangles of 2×3 and 3×2 cells (two orientations, 4 × 5 places each), and 40 are used; the paper says 52.",
        "Ours has a set of weights for each of the four actions, as Q(s, a) asks for. The paper's number of weights has no factor 4: perhaps its \
         weights are of the board after the action, perhaps it leaves the factor out. It does not say, and we did not try the other.",
    ],
};

/// A board: its name, its game, its recipe, and the games of an evaluation (of each of the paper's
/// data points).
struct Board {
    name: &'static str,
    game: &'static str,
    recipe: &'static str,
    games: u64,
    /// Average score of expectimax and Q-learning, their ratio, the medians of their largest tiles.
    found: [f64; 5],
    /// Statements of the text about the figures of this board.
    says: &'static str,
    /// The figure of tiles; scores are in the next one.
    figure: u8,
}

const BOARDS: [Board; 3] = [
    Board {
        name: "4×4",
        game: "2048",
        recipe: "mayer-hirshfeld-4x4",
        games: 100,
        found: [41_727.0, 24_102.0, 1.7, 2048.0, 1024.0],
        says: "Q-Learning and Expectimax both had a most frequent maximum tile of 2048, however Expectimax was able to reach the 4096 tile a \
               large number of times while Q-Learning only reached it once. In terms of the scores, Expectimax on average yielded 1.7 times \
               the scores of Q-Learning.",
        figure: 2,
    },
    Board {
        name: "5×5",
        game: "2048-5x5",
        recipe: "mayer-hirshfeld-5x5",
        games: 50,
        found: [436_393.0, 42_612.0, 10.2, 16384.0, 2048.0],
        says: "Q-Learning and Expectimax only overlapped on the smaller tiles, where Expectimax had a few outlier runs that yielded low \
               maximum tiles. … In terms of the scores, Expectimax on average yielded 10.2 times the scores of Q-Learning.",
        figure: 4,
    },
    Board {
        name: "6×6",
        game: "2048-6x6",
        recipe: "mayer-hirshfeld-6x6",
        games: 10,
        found: [5_995_388.0, 753_978.0, 8.0, 262_144.0, 32_768.0],
        says: "Q-Learning and Expectimax had no overlap, including having a tile separating the two players that was reached by neither \
               (2^16). … In terms of the scores, Expectimax on average yielded 8.0 times the scores of Q-Learning.",
        figure: 6,
    },
];

impl Board {
    fn expectimax(&self) -> Play {
        Play { player: Player::Expectimax(self.game), games: self.games }
    }

    fn q_learning(&self) -> Play {
        trained(&Training::of(self.recipe), 1, self.games)
    }

    fn figures(&self) -> [PaperTarget; 2] {
        [(SpreadShape::Tiles, "maximum tile", 0), (SpreadShape::Scores, "score", 1)].map(
            |(shape, what, after)| {
                let spread = Part::Spread(Spread {
                    caption: format!("The {what} of games of expectimax and Q-learning on {}.", self.name),
                    shape,
                    players: vec![
                        ("expectimax".into(), self.expectimax()),
                        ("Q-learning".into(), self.q_learning()),
                    ],
                });
                target(
                    &PAPER,
                    &format!("Fig. {}", self.figure + after),
                    format!("{} {what} comparison of expectimax and Q-learning", self.name),
                    self.says,
                    vec![spread],
                )
            },
        )
    }
}

pub(super) fn targets() -> Vec<PaperTarget> {
    let mut targets = vec![diagram(
        &PAPER,
        "Fig. 1",
        "the features of Q-learning, lines and rectangles",
        "the pattern set `lines4+rectangles` in docs/2-networks.md",
    )];
    targets.extend(BOARDS.iter().flat_map(Board::figures));
    targets.extend([iterations(), cut_offs(), sizes(), parameters(), properties()]);
    targets
}

fn parameters() -> PaperTarget {
    target(
        &PAPER,
        "Table 1",
        "the parameters of expectimax and Q-learning",
        "[We] tuned the parameters for the rest of our experiments so that they would have a comparable run time (around 24 hours).",
        vec![Part::Parameters],
    )
}

fn properties() -> PaperTarget {
    let row = |board: &Board| {
        let (em, ql) = (board.expectimax(), board.q_learning());
        let one = |play: &Play, quantity| Measure::One(play.clone(), quantity);
        let measures = [
            one(&em, Quantity::Average),
            one(&ql, Quantity::Average),
            Measure::Ratio(em.clone(), ql.clone()),
            one(&em, Quantity::MedianTile),
            one(&ql, Quantity::MedianTile),
        ];
        let cell = |(measure, value): (Measure, f64)| -> Cell {
            let paper: Option<Given> = plain(value);
            Cell { measure, paper }
        };
        (board.name.to_string(), measures.into_iter().zip(board.found).map(cell).collect())
    };
    let table = Part::Table(PaperTable {
        caption: "Expectimax (EM) and Q-learning (QL) on boards of three sizes.".into(),
        about: "board".into(),
        columns: [
            "EM average",
            "QL average",
            "EM/QL",
            "EM median of the largest tile",
            "QL median of the largest tile",
        ]
        .map(String::from)
        .into(),
        rows: BOARDS.iter().map(row).collect(),
    });
    target(
        &PAPER,
        "Table 2",
        "expectimax and Q-learning on 4×4, 5×5 and 6×6",
        "Despite the shortcomings of our Expectimax algorithm, it still outperformed the Q-Learning algorithm on every board size.",
        vec![table],
    )
}

fn iterations() -> PaperTarget {
    let curves = |board: &Board| {
        Part::Curves(Curves {
            caption: format!("Average score over training iterations on {}.", board.name),
            follow: Follow::Average,
            source: Source::Evaluations(1),
            sample: 1_000,
            lines: vec![("Q-learning".into(), Training::of(board.recipe))],
        })
    };
    PaperTarget {
        remarks: vec![
            "Ours is made by the paper's \"sequences\": train, play without learning, repeat (1,000, 50 and 10 games for each point).",
        ],
        ..target(
            &PAPER,
            "Fig. 8",
            "Q-learning scores over training iterations on 4×4, 5×5 and 6×6",
            "It is clear that most of the Q-Learning training gains take place during the first few iterations, and then the gains decrease \
             exponentially. Note that the drop in average score … seen in the 5 × 5 board and the 6 × 6 board are caused by random variation \
             in the specific games (we only performed 50, and 10 trials for each data point respectively due to time constraints).",
            BOARDS.iter().map(curves).collect(),
        )
    }
}

fn cut_offs() -> PaperTarget {
    let lines =
        [1e-2, 1e-3, 1e-4, 1e-5, 1e-6].map(|cut_off| (format!("cut-off {cut_off:e}"), "2048", cut_off));
    let times = Part::Times(Times {
        caption: "Seconds per move of expectimax on 4×4 by depth, for several cut-off probabilities.".into(),
        deepest: 9,
        lines: lines.into(),
    });
    PaperTarget {
        remarks: vec!["The cut-offs of the curves are ours; the text names 1e-6 only."],
        ..target(
            &PAPER,
            "Fig. 9",
            "expectimax: time per move by depth, for several cut-offs on 4×4",
            "At initial depth, the pruning probability does not impact the time per move at all … We then find that the curves diverge and \
             plateau at different times, which is due to the fact that at higher depths almost all the paths are being pruned and so the \
             cutoff probability is the limiting factor. We find that for a depth 6 and on-wards, having a cutoff probability of around 10^-6 \
             leads to moves taking almost a second each.",
            vec![times],
        )
    }
}

fn sizes() -> PaperTarget {
    let times = Part::Times(Times {
        caption: "Seconds per move of expectimax by depth on three boards, cut-off 1e-4.".into(),
        deepest: 9,
        lines: BOARDS.iter().map(|board| (board.name.to_string(), board.game, 1e-4)).collect(),
    });
    target(
        &PAPER,
        "Fig. 10",
        "expectimax: time per move by depth on 4×4, 5×5 and 6×6, cut-off 1e-4",
        "It is also interesting to note that the difference in time per move for different board sizes is fairly constant across different depths.",
        vec![times],
    )
}
