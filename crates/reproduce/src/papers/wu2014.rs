//! Wu et al. 2014.

use super::super::target::{
    Bars, Curves, Follow, Given, Paper, PaperTarget, Part, Play, Player, Quantity, Source, Training, Way,
    plain,
};
use super::yeh2016::{network, played};
use super::{by_player, drawings, target, trained};

static PAPER: Paper = Paper {
    key: "wu2014",
    citation: "I-C. Wu, K.-H. Yeh, C.-C. Liang, C.-C. Chang, H. Chiang, Multi-Stage Temporal Difference Learning for 2048, 2014",
    says_games: true,
    remarks: &[
        "TD learning is the first of the three stages of `yeh2016-2048-3stage`: the same 5 M games, and the paper says that both \
         \"uses the same feature weights during the first stage\".",
        "All leaves of a search are judged by the weights of the stage the game is in, as in the paper.",
        "The paper's depths 1, 3, 5, 7 count moves and spawns: they are 1- to 4-ply.",
        "Tables hold 16 ranks; boards with larger tiles are searched as lowered copies (tile downgrading), which the paper does not have.",
    ],
};

/// Games of an evaluation.
const GAMES: u64 = 1_000;
/// Games of a point of a curve.
const SAMPLE: u64 = 1_000;
const PLIES: [&str; 4] = ["1-ply", "2-ply", "3-ply", "4-ply"];

/// Rows of a table, from 2048 to 32768, maximum and average.
type Published = [[f64; 4]; 7];

const TD: Published = [
    [97.1, 99.9, 100.0, 100.0],
    [88.9, 99.8, 100.0, 100.0],
    [67.3, 96.9, 98.9, 98.5],
    [18.1, 73.5, 80.7, 80.2],
    [0.0, 0.0, 0.0, 0.0],
    [375_464.0, 385_376.0, 382_912.0, 382_760.0],
    [142_727.0, 282_827.0, 304_631.0, 302_288.0],
];
const MS_TD: Published = [
    TD[0],
    TD[1],
    TD[2],
    TD[3],
    [0.1, 9.4, 10.9, 4.6],
    [447_456.0, 536_008.0, 605_752.0, 581_416.0],
    [143_473.0, 310_242.0, 328_946.0, 313_776.0],
];

fn ms_td() -> Training {
    Training::of("wu2014-2048-3stage")
}

/// TD learning is the first stage alone: 5 M games, and whether boards are collected during or
/// after them is all the same.
pub(super) fn td(ply: u8) -> Play {
    let training = Training::of("yeh2016-2048-3stage");
    Play { player: Player::Trained(training, ply, Way::FirstStages(1)), games: GAMES }
}

pub(super) fn three_stages(ply: u8) -> Play {
    trained(&ms_td(), ply, GAMES)
}

pub(super) fn targets() -> Vec<PaperTarget> {
    let mut targets = drawings(&PAPER, "[17]");
    targets.extend([networks(5, Follow::Average), networks(6, Follow::Maximum)]);
    targets.extend([stages(7, Follow::Average), stages(8, Follow::Maximum)]);
    targets.extend([comparison(9, 5, Quantity::Maximum), comparison(10, 6, Quantity::Average)]);
    targets.extend([table(1, td, &TD), table(2, three_stages, &MS_TD)]);
    targets
}

fn table(number: u8, play: fn(u8) -> Play, published: &Published) -> PaperTarget {
    let columns: Vec<(&str, Play)> = PLIES.iter().zip(1..).map(|(name, ply)| (*name, play(ply))).collect();
    let tiles = [2048, 4096, 8192, 16384, 32768].map(Quantity::Reached);
    let rows: Vec<(Quantity, Vec<Option<Given>>)> = tiles
        .into_iter()
        .chain([Quantity::Maximum, Quantity::Average])
        .zip(published)
        .map(|(quantity, row)| (quantity, row.iter().map(|&value| plain(value)).collect()))
        .collect();
    let (name, says) = match number {
        1 => (
            "TD learning",
            "The results also shows that the expectimax search in depth 5 performs the best, even better than the one with depth 7.",
        ),
        _ => (
            "MS-TD learning in three stages",
            "The performance for MS-TD learning clearly outperforms that for the original TD learning. Especially, MS-TD \
             learning significantly improves the maximum scores and the achieved ratios of 32768-tiles from 0% to 10.9%.",
        ),
    };
    let caption = format!("Reaching rates, maximum and average score of games with {name}.");
    PaperTarget {
        remarks: vec![
            "The maximum is that of all games, so it grows with their number: the paper played 1,000.",
        ],
        ..target(
            &PAPER,
            &format!("Table {number}"),
            format!("{name} with 1- to 4-ply search: tiles reached, maximum and average score"),
            says,
            vec![by_player(&caption, &columns, &rows)],
        )
    }
}

fn networks(number: u8, follow: Follow) -> PaperTarget {
    let what = if follow == Follow::Average { "average" } else { "maximum" };
    let lines = vec![
        ("two 4-tuples, two 6-tuples [17]".to_string(), network("szubert2014-large")),
        ("four 6-tuples and large tiles".to_string(), network("yeh2016-2048-td")),
    ];
    let mut parts = vec![Part::Curves(Curves {
        caption: format!("The {what} scores of training games with two networks."),
        follow,
        source: Source::Training,
        sample: SAMPLE,
        lines: lines.clone(),
    })];
    parts.extend(played(&lines));
    target(
        &PAPER,
        &format!("Fig. {number}"),
        format!("{what} scores in TD learning with different n-tuple networks"),
        "Our n-tuple network apparently outperforms the one used in [17] in terms of both average and maximum scores.",
        parts,
    )
}

fn stages(number: u8, follow: Follow) -> PaperTarget {
    let (what, says) = match follow {
        Follow::Average => (
            "average",
            "The learning curve in the second stage … grows higher than the normalized of the first stage. … The learning \
             curve in the third stage … is nearly the same as the normalized of the second stage.",
        ),
        _ => (
            "maximum",
            "The curve for the third stage does go up to 500,000 often, which actually indicate to reach 32,768-tiles. In \
             contrast, the curves for the first and second stages rarely reach 32,768-tiles.",
        ),
    };
    let curves = Part::Curves(Curves {
        caption: format!("The {what} scores of training games, stage by stage."),
        follow,
        source: Source::Stages(3),
        sample: SAMPLE,
        lines: vec![("MS-TD".into(), ms_td())],
    });
    target(&PAPER, &format!("Fig. {number}"), format!("{what} scores in MS-TD learning"), says, vec![curves])
}

fn comparison(number: u8, row: usize, quantity: Quantity) -> PaperTarget {
    let what = if quantity == Quantity::Average { "average" } else { "maximum" };
    let kind = |name: &str, play: fn(u8) -> Play, published: &Published| {
        let height = |ply: u8| (play(ply), plain(published[row][usize::from(ply) - 1]));
        (name.to_string(), (1..=4).map(height).collect())
    };
    let bars = Part::Bars(Bars {
        caption: format!("The {what} scores of TD and MS-TD learning by depth of search."),
        quantity,
        groups: PLIES.map(String::from).into(),
        kinds: vec![kind("TD", td, &TD), kind("MS-TD", three_stages, &MS_TD)],
    });
    target(
        &PAPER,
        &format!("Fig. {number}"),
        format!("comparison of {what} scores, TD and MS-TD at 1- to 4-ply"),
        "The performance for MS-TD learning clearly outperforms that for the original TD learning.",
        vec![bars],
    )
}
