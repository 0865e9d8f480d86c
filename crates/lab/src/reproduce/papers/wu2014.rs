//! Wu et al. 2014.

use super::super::target::{
    Bars, Curves, Follow, Given, Paper, Part, Play, Quantity, Source, Target, Training, plain,
};
use super::{by_player, drawings, target, trained};

static PAPER: Paper = Paper {
    key: "wu2014",
    citation: "I-C. Wu, K.-H. Yeh, C.-C. Liang, C.-C. Chang, H. Chiang, Multi-Stage Temporal Difference Learning for 2048, 2014",
    says_games: true,
    remarks: &[
        "The paper's depths 1, 3, 5, 7 count moves and spawns: they are 1- to 4-ply.",
        "Tables hold 16 ranks; boards with larger tiles are searched as lowered copies (tile downgrading), which the paper does not have.",
    ],
};

/// Games of an evaluation.
const GAMES: u64 = 1_000;
const PLIES: [&str; 4] = ["1-ply", "2-ply", "3-ply", "4-ply"];

/// What a table says, from 2048 to 32768, maximum and average.
type Found = [[f64; 4]; 7];

const TD: Found = [
    [97.1, 99.9, 100.0, 100.0],
    [88.9, 99.8, 100.0, 100.0],
    [67.3, 96.9, 98.9, 98.5],
    [18.1, 73.5, 80.7, 80.2],
    [0.0, 0.0, 0.0, 0.0],
    [375_464.0, 385_376.0, 382_912.0, 382_760.0],
    [142_727.0, 282_827.0, 304_631.0, 302_288.0],
];
const MS_TD: Found = [
    TD[0],
    TD[1],
    TD[2],
    TD[3],
    [0.1, 9.4, 10.9, 4.6],
    [447_456.0, 536_008.0, 605_752.0, 581_416.0],
    [143_473.0, 310_242.0, 328_946.0, 313_776.0],
];

/// The first stage alone is plain TD.
fn td() -> Training {
    Training::of("yeh2016-2048-td").with("run.games=5000000")
}

fn ms_td() -> Training {
    Training::of("wu2014-2048-3stage")
}

pub(super) fn targets() -> Vec<Target> {
    let mut targets = drawings(&PAPER, "[17]");
    targets.extend([networks(5, Follow::Average), networks(6, Follow::Maximum)]);
    targets.extend([stages(7, Follow::Average), stages(8, Follow::Maximum)]);
    targets.extend([comparison(9, 5, Quantity::Maximum), comparison(10, 6, Quantity::Average)]);
    targets.extend([table(1, &td(), &TD), table(2, &ms_td(), &MS_TD)]);
    targets
}

fn table(number: u8, training: &Training, found: &Found) -> Target {
    let columns: Vec<(&str, Play)> =
        PLIES.iter().zip(1..).map(|(name, ply)| (*name, trained(training, ply, GAMES))).collect();
    let tiles = [2048, 4096, 8192, 16384, 32768].map(Quantity::Reached);
    let rows: Vec<(Quantity, Vec<Option<Given>>)> = tiles
        .into_iter()
        .chain([Quantity::Maximum, Quantity::Average])
        .zip(found)
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
    Target {
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

fn networks(number: u8, follow: Follow) -> Target {
    let what = if follow == Follow::Average { "average" } else { "maximum" };
    let old = Training::of("szubert2014-large").with("run.games=2000000");
    let new = Training::of("yeh2016-2048-td").with("run.games=2000000");
    let curves = Part::Curves(Curves {
        caption: format!("The {what} scores of training games with two networks."),
        follow,
        source: Source::Training,
        lines: vec![
            ("two 4-tuples, two 6-tuples [17]".into(), old),
            ("four 6-tuples and large tiles".into(), new),
        ],
    });
    target(
        &PAPER,
        &format!("Fig. {number}"),
        format!("{what} scores in TD learning with different n-tuple networks"),
        "Our n-tuple network apparently outperforms the one used in [17] in terms of both average and maximum scores.",
        vec![curves],
    )
}

fn stages(number: u8, follow: Follow) -> Target {
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
        source: Source::Stages,
        lines: vec![("MS-TD".into(), ms_td())],
    });
    target(&PAPER, &format!("Fig. {number}"), format!("{what} scores in MS-TD learning"), says, vec![curves])
}

fn comparison(number: u8, row: usize, quantity: Quantity) -> Target {
    let what = if quantity == Quantity::Average { "average" } else { "maximum" };
    let kind = |name: &str, training: &Training, found: &Found| {
        let play = |ply: u8| (trained(training, ply, GAMES), plain(found[row][usize::from(ply) - 1]));
        (name.to_string(), (1..=4).map(play).collect())
    };
    let bars = Part::Bars(Bars {
        caption: format!("The {what} scores of TD and MS-TD learning by depth of search."),
        quantity,
        groups: PLIES.map(String::from).into(),
        kinds: vec![kind("TD", &td(), &TD), kind("MS-TD", &ms_td(), &MS_TD)],
    });
    target(
        &PAPER,
        &format!("Fig. {number}"),
        format!("comparison of {what} scores, TD and MS-TD at 1- to 4-ply"),
        "The performance for MS-TD learning clearly outperforms that for the original TD learning.",
        vec![bars],
    )
}
