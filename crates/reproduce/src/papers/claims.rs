//! Claims of the papers, sentence by sentence.

use super::super::target::{Check, Claim, Given, Play, Player, Quantity, Training, Way, plain, within};
use super::yeh2016::{improved, network};
use super::{trained, wu2014};
use Check::{Improves, More, NotMore, Reaches};
use Quantity::{Average, MaxOf100, Reached, Wins};

const BY_PLY: [&str; 4] = ["at 1-ply", "at 2-ply", "at 3-ply", "at 4-ply"];

/// All claims by the keys of their papers.
pub(in super::super) fn claims() -> Vec<(&'static str, Vec<Claim>)> {
    let yeh = [yeh_of_networks(), yeh_of_stages(), yeh_of_threes()].into_iter().flatten().collect();
    vec![
        ("szubert2014", szubert()),
        ("wu2014", wu()),
        ("yeh2016", yeh),
        ("mayer-hirshfeld", mayer_hirshfeld()),
    ]
}

/// Games of a recipe as it is.
fn of(recipe: &'static str, ply: u8) -> Play {
    trained(&Training::of(recipe), ply, 10_000)
}

/// One has more than another, at several depths: the paper's numbers for both, by depth.
fn by_ply(
    from: u8,
    quantity: Quantity,
    [a, b]: [fn(u8) -> Play; 2],
    found: &[[Option<Given>; 2]],
) -> Vec<(&'static str, Check)> {
    (from..)
        .zip(found)
        .map(|(ply, found)| (BY_PLY[usize::from(ply) - 1], More(quantity, [a(ply), b(ply)], *found)))
        .collect()
}

fn szubert() -> Vec<Claim> {
    let play = |recipe| trained(&Training::of(recipe), 1, 1_000);
    let [actions, states, afterstates, large] =
        ["szubert2014-actions", "szubert2014-states", "szubert2014-afterstates", "szubert2014-large"]
            .map(play);
    let found = within(51_320.9, 358.4);
    vec![
        Claim {
            place: "comparison",
            says: "Values of afterstates learn to play better than those of states or actions",
            targets: &["szubert2014-comparison"],
            checks: vec![
                (
                    "than actions",
                    More(Average, [afterstates.clone(), actions], [found, within(20_504.6, 163.5)]),
                ),
                (
                    "than states",
                    More(Average, [afterstates.clone(), states], [found, within(48_929.6, 702.5)]),
                ),
            ],
        },
        Claim {
            place: "large network",
            says: "Two 4-tuples and two 6-tuples shared by symmetry win 98 % of the games and average 100,178 points",
            targets: &["szubert2014-large"],
            checks: vec![
                (
                    "more points than the small network",
                    More(Average, [large.clone(), afterstates], [plain(100_178.0), found]),
                ),
                ("wins", Reaches(Wins, large.clone(), Given { value: 98.0, margin: Some(0.5) })),
                ("average", Reaches(Average, large, Given { value: 100_178.0, margin: None })),
            ],
        },
    ]
}

fn wu() -> Vec<Claim> {
    let two = |a: f64, b: f64| [plain(a), plain(b)];
    vec![
        Claim {
            place: "Tables 1 and 2",
            says: "Three stages make 32768 more often than TD learning",
            targets: &["wu2014-table1", "wu2014-table2"],
            checks: by_ply(
                1,
                Reached(32768),
                [wu2014::three_stages, wu2014::td],
                &[two(0.1, 0.0), two(9.4, 0.0), two(10.9, 0.0), two(4.6, 0.0)],
            ),
        },
        Claim {
            place: "Tables 1 and 2",
            says: "Three stages score more than TD learning under search",
            targets: &["wu2014-table1", "wu2014-table2"],
            checks: by_ply(
                2,
                Average,
                [wu2014::three_stages, wu2014::td],
                &[two(310_242.0, 282_827.0), two(328_946.0, 304_631.0), two(313_776.0, 302_288.0)],
            ),
        },
        Claim {
            place: "Tables 1 and 2",
            says: "Search of depth 5 (3-ply) is best, better than depth 7 (4-ply)",
            targets: &["wu2014-table1", "wu2014-table2"],
            checks: vec![
                ("with TD", NotMore(Average, [wu2014::td(4), wu2014::td(3)], two(302_288.0, 304_631.0))),
                (
                    "with three stages",
                    NotMore(
                        Average,
                        [wu2014::three_stages(4), wu2014::three_stages(3)],
                        two(313_776.0, 328_946.0),
                    ),
                ),
            ],
        },
    ]
}

fn yeh_of_networks() -> Vec<Claim> {
    let play = |training: &Training, ply| trained(training, ply, 1_000);
    let both = network("yeh2016-2048-td");
    let more = |other: &Training, ply| More(Average, [play(&both, ply), play(other, ply)], [None, None]);
    let neither = network("szubert2014-large");
    let large = network("szubert2014-large").with("network.features=[\"large-11\"]");
    let tuples = network("yeh2016-2048-td").with("network.features=[]");
    let improved: Vec<Play> = improved().iter().map(|(_, training)| play(training, 1)).collect();
    let step = |k: usize| More(Average, [improved[k].clone(), improved[k - 1].clone()], [None, None]);
    vec![
        Claim {
            place: "Figs. 5 and 6",
            says: "New tuples and large-tile features together outperform each alone and neither, after 2 M games",
            targets: &["yeh2016-fig5", "yeh2016-fig6"],
            checks: vec![
                ("than new tuples, 1-ply", more(&tuples, 1)),
                ("than new tuples, 2-ply", more(&tuples, 2)),
                ("than large tiles, 1-ply", more(&large, 1)),
                ("than large tiles, 2-ply", more(&large, 2)),
                ("than neither, 1-ply", more(&neither, 1)),
                ("than neither, 2-ply", more(&neither, 2)),
            ],
        },
        Claim {
            place: "Fig. 17",
            says: "More features (a), then smaller steps (b), then truncated TD(.5) (c) each raise the score of the first stage",
            targets: &["yeh2016-fig17"],
            checks: vec![("(a)", step(1)), ("(b)", step(2)), ("(c)", step(3))],
        },
    ]
}

fn yeh_of_stages() -> Vec<Claim> {
    let td: fn(u8) -> Play = |ply| of("yeh2016-2048-td", ply);
    let ms: fn(u8) -> Play = |ply| of("yeh2016-2048-3stage", ply);
    let (simple, tables): (_, &[&str]) =
        (Training::of("yeh2016-2048-3stage"), &["yeh2016-table1", "yeh2016-table2"]);
    let (s1, s4) = (of("yeh2016-2048-strategy1", 3), of("yeh2016-2048-strategy4", 3));
    let first = Player::Trained(Training::of("yeh2016-2048-strategy4"), 3, Way::FirstStages(5));
    let s3 = Play { player: first, games: 10_000 };
    let last = of("yeh2016-2048-final", 3);
    vec![
        Claim {
            place: "Fig. 7",
            says: "Each stage ends above what the stage before makes of the same boards",
            targets: &["yeh2016-fig7"],
            checks: vec![("stage 2", Improves(simple.clone(), 2)), ("stage 3", Improves(simple, 3))],
        },
        Claim {
            place: "Tables 1 and 2",
            says: "Three stages of 5 M games make 32768 more often than TD learning of 15 M games",
            targets: tables,
            checks: by_ply(
                1,
                Reached(32768),
                [ms, td],
                &[
                    [within(0.06, 0.05), within(0.0, 0.0)],
                    [within(5.50, 0.45), within(0.0, 0.0)],
                    [within(13.78, 0.68), within(0.0, 0.0)],
                ],
            ),
        },
        Claim {
            place: "Tables 1 and 2",
            says: "Three stages have larger maxima of 100 games",
            targets: tables,
            checks: by_ply(
                1,
                MaxOf100,
                [ms, td],
                &[
                    [within(431_847.0, 78_795.0), within(371_595.0, 15_086.0)],
                    [within(554_090.0, 57_640.0), within(374_675.0, 2_274.0)],
                    [within(599_645.0, 33_701.0), within(374_458.0, 3_344.0)],
                ],
            ),
        },
        Claim {
            place: "Tables 1 and 2",
            says: "Three stages score more under search",
            targets: tables,
            checks: by_ply(
                2,
                Average,
                [ms, td],
                &[
                    [within(301_280.0, 6_996.0), within(290_381.0, 6_066.0)],
                    [within(350_394.0, 8_579.0), within(321_496.0, 2_859.0)],
                ],
            ),
        },
        Claim {
            place: "Tables 1 and 2",
            says: "TD learning, with three times the games before 16384, makes 16384 more often",
            targets: tables,
            checks: by_ply(
                1,
                Reached(16384),
                [td, ms],
                &[
                    [within(26.33, 0.86), within(17.87, 0.75)],
                    [within(79.86, 0.79), within(74.36, 0.86)],
                    [within(90.95, 0.56), within(87.68, 0.64)],
                ],
            ),
        },
        Claim {
            place: "Table 2",
            says: "Deeper search scores more",
            targets: &["yeh2016-table2"],
            checks: vec![
                ("2- against 1-ply", More(Average, [ms(2), ms(1)], [plain(301_280.0), plain(143_958.0)])),
                ("3- against 2-ply", More(Average, [ms(3), ms(2)], [plain(350_394.0), plain(301_280.0)])),
            ],
        },
        Claim {
            place: "Table 3",
            says: "Strategy 3 (five stages) makes 32768 most often; a split at 8192, or a sixth stage, does not help",
            targets: &["yeh2016-table2", "yeh2016-table3"],
            checks: vec![
                (
                    "Strategy 3 against three stages",
                    More(Reached(32768), [s3.clone(), ms(3)], [within(18.31, 0.76), within(13.78, 0.68)]),
                ),
                (
                    "no gain by 8192",
                    NotMore(Reached(32768), [s1, ms(3)], [within(14.15, 0.68), within(13.78, 0.68)]),
                ),
                (
                    "no gain by a sixth stage",
                    NotMore(Reached(32768), [s4, s3], [within(16.82, 0.73), within(18.31, 0.76)]),
                ),
            ],
        },
        Claim {
            place: "IV.E",
            says: "Strategy 3 with (a), (b), (c) makes 32768 in 31.75 % of the games and scores 443,526",
            targets: &["yeh2016-final-2048"],
            checks: vec![
                ("32768", Reaches(Reached(32768), last.clone(), Given { value: 31.75, margin: None })),
                ("average", Reaches(Average, last, Given { value: 443_526.0, margin: None })),
            ],
        },
    ]
}

fn yeh_of_threes() -> Vec<Claim> {
    let td: fn(u8) -> Play = |ply| of("yeh2016-threes-td", ply);
    let ms: fn(u8) -> Play = |ply| of("yeh2016-threes-3stage", ply);
    let tables: &[&str] = &["yeh2016-table4", "yeh2016-table5"];
    let last = of("yeh2016-threes-final", 3);
    let strategies = [
        ("Strategy 1", "yeh2016-threes-strategy1", 6.29, 0.48),
        ("Strategy 2", "yeh2016-threes-strategy2", 6.07, 0.47),
    ];
    let no_gain = |(name, recipe, rate, margin): (&'static str, &'static str, f64, f64)| {
        (name, NotMore(Reached(6144), [of(recipe, 3), ms(3)], [within(rate, margin), within(7.83, 0.53)]))
    };
    vec![
        Claim {
            place: "Tables 4 and 5",
            says: "In Threes three stages make 6144 more often than TD learning",
            targets: tables,
            checks: by_ply(
                2,
                Reached(6144),
                [ms, td],
                &[[within(1.40, 0.23), within(0.02, 0.03)], [within(7.83, 0.53), within(0.45, 0.13)]],
            ),
        },
        Claim {
            place: "Tables 4 and 5",
            says: "In Threes three stages score more under search",
            targets: tables,
            checks: by_ply(
                2,
                Average,
                [ms, td],
                &[
                    [within(157_025.0, 5_272.0), within(102_390.0, 2_827.0)],
                    [within(220_393.0, 12_393.0), within(139_351.0, 4_839.0)],
                ],
            ),
        },
        Claim {
            place: "Table 6",
            says: "In Threes one more split does not help",
            targets: &["yeh2016-table5", "yeh2016-table6"],
            checks: strategies.map(no_gain).into(),
        },
        Claim {
            place: "V.B",
            says: "In Threes three stages with (a), (b), (c) make 6144 in 8.91 % of the games and score 234,490",
            targets: &["yeh2016-final-threes"],
            checks: vec![
                ("6144", Reaches(Reached(6144), last.clone(), Given { value: 8.91, margin: None })),
                ("average", Reaches(Average, last, Given { value: 234_490.0, margin: None })),
            ],
        },
    ]
}

fn mayer_hirshfeld() -> Vec<Claim> {
    let board = |name, game, recipe, games, em: f64, ql: f64| {
        let expectimax = Play { player: Player::Expectimax(game), games };
        let learned = trained(&Training::of(recipe), 1, games);
        (name, More(Average, [expectimax, learned], [plain(em), plain(ql)]))
    };
    vec![Claim {
        place: "Table 2",
        says: "Expectimax with a heuristic outperforms Q-learning on every board",
        targets: &["mayer-hirshfeld-table2"],
        checks: vec![
            board("4×4", "2048", "mayer-hirshfeld-4x4", 100, 41_727.0, 24_102.0),
            board("5×5", "2048-5x5", "mayer-hirshfeld-5x5", 50, 436_393.0, 42_612.0),
            board("6×6", "2048-6x6", "mayer-hirshfeld-6x6", 10, 5_995_388.0, 753_978.0),
        ],
    }]
}
