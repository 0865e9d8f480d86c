//! The claims of the papers, and what our own runs say to each: confirmed, not confirmed, confirmed
//! only in part, not yet run.
//!
//! Nothing is trained or played here: verdicts are made of what `reproduce` has left in its
//! directory, so the page can be written again after every run.

use super::cell::{Measured, given, measured, reached};
use super::play::{self, PlayedGames};
use super::setting::Setting;
use super::target::{Check, Claim, Play, Player, Quantity, Training};
use super::training::{TrainedRun, finished};
use super::{ReproduceError, curve, papers};
use afterstate::evaluate::Summary;
use afterstate::statistics::{Difference, Interval, Moments, Proportion, rate_difference};
use afterstate_lab::number::grouped;
use afterstate_report::{Block, Cell, Document, Table, Written};
use std::path::Path;

/// Games of a side below which nothing is said.
const FEWEST: usize = 30;

/// The answer of our games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
    /// The interval of the difference has both in it.
    Open,
    /// There are no games.
    NotRun,
}

/// A check made: its verdict, our numbers, the paper's.
struct Checked {
    verdict: Verdict,
    ours: String,
    paper: String,
}

/// Writes the page of all claims to `out/claims`, from what is kept below `out`.
pub fn claims(setting: &Setting, out: &Path, command: &str) -> Result<Written, ReproduceError> {
    let mut document = Document::new(
        "What the papers claim, and what came of it here",
        format!(
            "Every claim of the papers that can be measured, tried {}. Verdicts are made of 95 % intervals of the games of one network \
             each (seed 1): \"confirmed\" if the interval of the difference leaves zero out on the claimed side, \"not confirmed\" on the other, \
             \"not settled\" if zero is in it. That something does not help is confirmed if no gain is found, which few games make easy: see the intervals.",
            setting.words()
        ),
    );
    document.push(Block::Code(command.into()));
    let all = papers::claims();
    for (key, claims) in &all {
        document.heading(*key);
        let columns = ["claim", "here", "ours", "the paper's", "carried out by"];
        let mut table = Table::new("", columns);
        for claim in claims {
            let mut checks = Vec::new();
            for (name, check) in &claim.checks {
                checks.push((*name, checked(check, setting, out)?));
            }
            let scale =
                if setting.miniature { " --miniature".into() } else { format!(" --scale {}", setting.scale) };
            let commands =
                claim.targets.iter().map(|target| format!("`afterstate reproduce {target}{scale}`"));
            let list = |of: fn(&Checked) -> &str| listed(&checks, of);
            table.row([
                Cell::Text(format!("{} ({})", claim.says, claim.place)),
                Cell::Text(verdict(&checks)),
                Cell::Text(list(|checked| &checked.ours)),
                Cell::Text(list(|checked| &checked.paper)),
                Cell::Text(commands.collect::<Vec<_>>().join(", ")),
            ]);
        }
        document.push(table);
    }
    document.heading("Runs");
    document.push(runs(all.iter().flat_map(|(_, claims)| claims), setting, out)?);
    Ok(document.write(&out.join("claims"))?)
}

/// The names of checks with their numbers.
fn listed(checks: &[(&str, Checked)], of: fn(&Checked) -> &str) -> String {
    let some = checks.iter().filter(|(_, checked)| !of(checked).is_empty());
    some.map(|(name, checked)| format!("{name}: {}", of(checked))).collect::<Vec<_>>().join("; ")
}

/// The verdict of all checks of a claim together.
fn verdict(checks: &[(&str, Checked)]) -> String {
    let names = |verdict: Verdict| -> Vec<&str> {
        checks.iter().filter(|(_, checked)| checked.verdict == verdict).map(|(name, _)| *name).collect()
    };
    let [yes, no, open, missing] = [Verdict::Yes, Verdict::No, Verdict::Open, Verdict::NotRun].map(names);
    if missing.len() == checks.len() {
        return "not yet run".into();
    }
    let mut parts = Vec::new();
    match (yes.is_empty(), yes.len() + missing.len() == checks.len()) {
        (true, _) => {}
        (false, true) => parts.push("confirmed".to_string()),
        (false, false) => parts.push(format!("confirmed only {}", yes.join(", "))),
    }
    if !no.is_empty() {
        parts.push(match yes.is_empty() && open.is_empty() {
            true => "not confirmed".into(),
            false => format!("not confirmed {}", no.join(", ")),
        });
    }
    if !open.is_empty() {
        parts.push(format!("not settled {}", open.join(", ")));
    }
    if !missing.is_empty() {
        parts.push(format!("not yet run {}", missing.join(", ")));
    }
    parts.join("; ")
}

/// The games of a player that are kept, if its training is finished and they are enough.
fn games(play: &Play, setting: &Setting, out: &Path) -> Result<Option<PlayedGames>, ReproduceError> {
    let kept = match &play.player {
        Player::Trained(training, ply, way) => match finished(setting, out, training, 1)? {
            Some(run) => play::kept(run.recipe.build()?.game.rules, &play::file(&run.place, *ply, *way))?,
            None => None,
        },
        Player::Expectimax(name) => {
            let seat = play::Seat::expectimax(name, setting.expectimax_ply())?;
            play::kept(seat.game().clone(), &play::own_file(out, &seat))?
        }
        Player::Given(_) => None,
    };
    let fewest = if setting.miniature { 1 } else { FEWEST };
    Ok(kept.filter(|games| games.played.len() >= fewest))
}

fn checked(check: &Check, setting: &Setting, out: &Path) -> Result<Checked, ReproduceError> {
    Ok(match check {
        Check::More(quantity, [a, b], paper) | Check::NotMore(quantity, [a, b], paper) => {
            let apart = match (games(a, setting, out)?, games(b, setting, out)?) {
                (Some(a), Some(b)) => apart(&b, &a, *quantity).map(|apart| (apart, [a, b])),
                _ => None,
            };
            let verdict = match (apart.as_ref().map(|(apart, _)| apart), check) {
                (None, _) => Verdict::NotRun,
                (Some(apart), Check::NotMore(..)) if apart.low <= 0.0 => Verdict::Yes,
                (Some(apart), Check::More(..)) if apart.low > 0.0 => Verdict::Yes,
                (Some(_), Check::NotMore(..)) => Verdict::No,
                (Some(apart), _) if apart.high < 0.0 => Verdict::No,
                (Some(_), _) => Verdict::Open,
            };
            let ours = apart.map_or_else(String::new, |(_, [a, b])| {
                versus(measured(&a, *quantity), measured(&b, *quantity), *quantity)
            });
            let paper = match paper {
                [None, None] => String::new(),
                [a, b] => versus(given(*a, *quantity), given(*b, *quantity), *quantity),
            };
            Checked { verdict, ours, paper }
        }
        Check::Reaches(quantity, play, paper) => {
            let ours = games(play, setting, out)?.and_then(|games| measured(&games, *quantity));
            let theirs = given(Some(*paper), *quantity);
            let verdict = match (ours, theirs) {
                (Some(Measured { value, interval }), Some(theirs)) => {
                    let most = interval.map_or(value, |[_, high]| high);
                    let least = theirs.interval.map_or(theirs.value, |[low, _]| low);
                    if most >= least { Verdict::Yes } else { Verdict::No }
                }
                _ => Verdict::NotRun,
            };
            let ours = ours.map_or_else(String::new, |ours| words(Some(ours), *quantity));
            Checked { verdict, ours, paper: words(theirs, *quantity) }
        }
        Check::Improves(training, stage) => {
            let improved = match finished(setting, out, training, 1)? {
                Some(run) => curve::last_tenth(&run, *stage)?,
                None => None,
            };
            let (verdict, ours) = match improved {
                None => (Verdict::NotRun, String::new()),
                Some((last, before)) => {
                    let interval = last.ci95().unwrap_or(Interval { low: last.mean(), high: last.mean() });
                    let verdict = match () {
                        () if interval.low > before => Verdict::Yes,
                        () if interval.high < before => Verdict::No,
                        () => Verdict::Open,
                    };
                    let last = Measured { value: last.mean(), interval: Some([interval.low, interval.high]) };
                    (
                        verdict,
                        format!(
                            "{}, normalised {}",
                            words(Some(last), Quantity::Average),
                            grouped(before, 0)
                        ),
                    )
                }
            };
            Checked { verdict, ours, paper: String::new() }
        }
    })
}

/// The lead of the second in a quantity, with its interval; `None` if the games do not tell.
fn apart(first: &PlayedGames, second: &PlayedGames, quantity: Quantity) -> Option<Interval> {
    let (one, two) = (first.summary()?, second.summary()?);
    let share = |of: fn(&Summary) -> Proportion| rate_difference(&of(&one), &of(&two)).1;
    let means = |of: fn(&Summary) -> &Moments| Some(Difference::of(of(&one), of(&two))?.ci95());
    match quantity {
        Quantity::Reached(tile) => Some(rate_difference(&reached(&one, tile), &reached(&two, tile)).1),
        Quantity::Wins => Some(share(|summary| summary.win)),
        Quantity::Average => means(|summary| &summary.score.moments),
        Quantity::MaxOf100 => means(|summary| &summary.score.max_of_100),
        _ => None,
    }
}

/// A number with its interval as people write it.
fn words(number: Option<Measured>, quantity: Quantity) -> String {
    let Some(Measured { value, interval }) = number else { return "–".into() };
    match (quantity.is_share(), interval) {
        (true, Some([low, high])) => {
            format!("{:.2} % ({:.2} – {:.2})", value * 100.0, low * 100.0, high * 100.0)
        }
        (true, None) => format!("{:.2} %", value * 100.0),
        (false, Some([low, high])) => format!("{} ± {}", grouped(value, 0), grouped((high - low) / 2.0, 0)),
        (false, None) => grouped(value, 0),
    }
}

fn versus(a: Option<Measured>, b: Option<Measured>, quantity: Quantity) -> String {
    format!("{} against {}", words(a, quantity), words(b, quantity))
}

/// The runs that claims need and that are finished.
fn runs<'a>(
    claims: impl Iterator<Item = &'a Claim>,
    setting: &Setting,
    out: &Path,
) -> Result<Table, ReproduceError> {
    let of_check = |check: &Check| -> Vec<Training> {
        let of = |play: &Play| play.player.training().cloned();
        match check {
            Check::More(_, plays, _) | Check::NotMore(_, plays, _) => plays.iter().filter_map(of).collect(),
            Check::Reaches(_, play, _) => of(play).into_iter().collect(),
            Check::Improves(training, _) => vec![training.clone()],
        }
    };
    let mut trainings: Vec<Training> =
        claims.flat_map(|claim| &claim.checks).flat_map(|(_, check)| of_check(check)).collect();
    trainings.sort();
    trainings.dedup_by_key(|training| training.name());
    let columns = ["training", "games", "moves", "hours", "moves per second"];
    let mut table = Table::new("Trainings that are finished, one thread each.", columns);
    for training in trainings {
        let Some(TrainedRun { done, .. }) = finished(setting, out, &training, 1)? else { continue };
        table.row([
            Cell::Text(training.name()),
            Cell::number(done.games as f64, 0),
            Cell::number(done.moves as f64, 0),
            Cell::number(done.seconds / 3_600.0, 1),
            Cell::number(done.moves as f64 / done.seconds.max(1e-9), 0),
        ]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{find, targets};
    use afterstate::evaluate::Played;

    fn checks(verdicts: &[(&'static str, Verdict)]) -> Vec<(&'static str, Checked)> {
        let one = |verdict| Checked { verdict, ours: String::new(), paper: String::new() };
        verdicts.iter().map(|&(name, verdict)| (name, one(verdict))).collect()
    }

    #[test]
    fn a_claim_holds_as_far_as_its_checks_do() {
        use Verdict::{No, NotRun, Open, Yes};
        let said = |verdicts: &[(&'static str, Verdict)]| verdict(&checks(verdicts));
        assert_eq!(said(&[("at 1-ply", Yes), ("at 2-ply", Yes)]), "confirmed");
        assert_eq!(said(&[("at 1-ply", No)]), "not confirmed");
        assert_eq!(said(&[("at 1-ply", NotRun), ("at 2-ply", NotRun)]), "not yet run");
        assert_eq!(
            said(&[("at 1-ply", Open), ("at 2-ply", Yes), ("at 3-ply", Yes)]),
            "confirmed only at 2-ply, at 3-ply; not settled at 1-ply"
        );
        assert_eq!(
            said(&[("at 1-ply", No), ("at 2-ply", Yes)]),
            "confirmed only at 2-ply; not confirmed at 1-ply"
        );
        assert_eq!(said(&[("at 1-ply", Yes), ("at 3-ply", NotRun)]), "confirmed; not yet run at 3-ply");
    }

    #[test]
    fn every_claim_has_checks_and_targets_that_carry_them_out() {
        let all = papers::claims();
        let papers: Vec<&str> = targets().iter().map(|target| target.paper.key).collect();
        assert!(all.iter().all(|(paper, _)| papers.contains(paper)));
        assert!(all.iter().map(|(_, claims)| claims.len()).sum::<usize>() > 15);
        for claim in all.iter().flat_map(|(_, claims)| claims) {
            assert!(!claim.checks.is_empty(), "{}", claim.says);
            let found: Vec<_> = claim.targets.iter().map(|name| find(name).unwrap()).collect();
            let plays: Vec<Player> =
                found.iter().flat_map(|target| target.plays()).map(|play| play.player).collect();
            let trainings: Vec<Training> = found.iter().flat_map(|target| target.trainings()).collect();
            for (name, check) in &claim.checks {
                let carried_out = match check {
                    Check::More(_, two, _) | Check::NotMore(_, two, _) => {
                        two.iter().all(|play| plays.contains(&play.player))
                    }
                    Check::Reaches(_, play, _) => plays.contains(&play.player),
                    Check::Improves(training, _) => trainings.contains(training),
                };
                assert!(carried_out, "{}: nobody plays for {name}", claim.says);
            }
        }
    }

    /// Ten games that score 100 on average and ten that score 1,000 differ; a sample does not
    /// differ from itself.
    #[test]
    fn differences_have_signs() {
        let sample = |level: u64| PlayedGames {
            game: play::configured("2048").unwrap().rules,
            played: (0..10)
                .map(|index| Played {
                    index,
                    score: level + index,
                    moves: 9,
                    max_rank: (level / 100) as u8,
                    goal: false,
                })
                .collect(),
            nanoseconds: 1,
        };
        let (low, high) = (sample(100), sample(1_100));
        assert!(apart(&low, &high, Quantity::Average).unwrap().low > 900.0);
        assert!(apart(&high, &low, Quantity::Average).unwrap().high < 0.0);
        assert!(apart(&low, &high, Quantity::Reached(2048)).unwrap().low > 0.0);
        assert!(apart(&low, &low, Quantity::Average).unwrap().contains(0.0));
        assert_eq!(apart(&low, &high, Quantity::Speed), None);
    }

    #[test]
    fn nothing_is_confirmed_by_nothing() {
        let out = tempfile::tempdir().unwrap();
        let written = claims(&Setting::default(), out.path(), "afterstate reproduce claims").unwrap();
        let text = std::fs::read_to_string(written.markdown).unwrap();
        assert!(text.contains("not yet run") && !text.contains("| confirmed"), "{text}");
        assert!(text.contains("13.78 % (13.10 – 14.46) against 0.00 %"), "{text}");
        assert!(text.contains("`afterstate reproduce yeh2016-table2 --scale 1`"), "{text}");
    }
}
