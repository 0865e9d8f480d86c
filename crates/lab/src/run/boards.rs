//! Files of boards to start games from: a position on each line, then, after tabs, its score so
//! far, the score at the end of its game, and its stage (from 1 on).
//!
//! What a run collects ends with a count and a checksum, and is written whole. Files of others need
//! only positions.

use super::files::{RunError, at, write_whole};
use crate::recipe::{Built, Recipe, Start};
use afterstate::game::{Game, notation};
use afterstate::learn::stage_starts::{Keep, StageStart, StageStarts};
use afterstate::learn::start::StartPoint;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

const TITLE: &str = "# position, score so far, score at the end of its game, stage";
const MET: &str = "# games that came to each stage:";
const END: &str = "# boards, checksum:";

/// Writes boards with a checksum, whole or not at all.
pub(super) fn write<G: Game>(path: &Path, game: &G, starts: &StageStarts<G::State>) -> Result<(), RunError> {
    let met: Vec<String> = starts.met().iter().map(u64::to_string).collect();
    let mut text = format!("{TITLE}\n{MET} {}\n", met.join(" "));
    let mut boards = 0;
    for StageStart { start, last } in starts.all() {
        let position = notation::write(game, &start.state);
        let stage = u32::from(start.stage) + 1;
        writeln!(text, "{position}\t{}\t{last}\t{stage}", start.score).expect("a string grows");
        boards += 1;
    }
    let end = last_line(&text, boards);
    text += &end;
    write_whole(path, |out| out.write_all(text.as_bytes()))
}

/// The line after these: how many boards there are, and the checksum of everything before.
fn last_line(text: &str, boards: usize) -> String {
    format!("{END} {boards} {:08x}\n", crc32fast::hash(text.as_bytes()))
}

/// The text of a file that `write()` wrote, if it is whole; else what is wrong with it.
pub fn whole(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let (before, end) = text.split_at(text.rfind(END).unwrap_or(0));
    let boards = before.lines().filter(|line| !line.starts_with('#')).count();
    if end == last_line(before, boards) {
        return Ok(text);
    }
    Err(format!("{} is damaged: its checksum is wrong", path.display()))
}

/// Reads what [`write()`] wrote.
pub(super) fn read<G: Game>(path: &Path, game: &G, keep: Keep) -> Result<StageStarts<G::State>, RunError> {
    let text = whole(path).map_err(RunError::Damaged)?;
    let met = text.lines().find_map(|line| line.strip_prefix(MET)).unwrap_or("");
    let met = met.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let kept = lines(path, &text, game, |_| 0)?;
    Ok(StageStarts::restored(keep, kept, met))
}

/// The boards the run of this model collected for a stage (from 0); none if there is no such run.
pub fn collected_boards<G: Game>(
    game: &G,
    model: &Path,
    stage: u8,
) -> Result<Vec<StartPoint<G::State>>, String> {
    let place = model.parent().unwrap_or(Path::new("")).join("boards");
    let path = place.join(format!("stage-{}.boards", stage + 1));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let all = read(&path, game, Keep::Last(usize::MAX)).map_err(|error| error.to_string())?;
    Ok(all.of(stage).map(|entry| entry.start).collect())
}

/// Reads the file of positions to start from, if the recipe names one.
pub(super) fn named<G: Game>(
    game: &G,
    recipe: &Recipe,
    built: &Built,
) -> Result<Vec<StartPoint<G::State>>, RunError> {
    let named = recipe.learning.boards.as_ref().filter(|_| recipe.learning.start == Start::Boards);
    let Some(name) = named else { return Ok(Vec::new()) };
    let path = Path::new(name);
    let text = std::fs::read_to_string(path).map_err(at("cannot read", path))?;
    let stages = &built.structure.stages;
    let boards = lines(path, &text, game, |state| stages.implied(game.state_view(state).cells))?;
    if boards.is_empty() {
        return Err(RunError::Unusable(format!("{} holds no positions", path.display())));
    }
    if let Some(far) = boards.iter().find(|entry| usize::from(entry.start.stage) >= stages.count()) {
        let (stage, count) = (far.start.stage + 1, stages.count());
        let what = format!("{} has boards of stage {stage}, the recipe has {count}", path.display());
        return Err(RunError::Unusable(format!("{what}; name their splits with stages.split")));
    }
    Ok(boards.into_iter().map(|entry| entry.start).collect())
}

/// The boards of a text; `implied` tells the stage of those that do not say it.
fn lines<G: Game>(
    path: &Path,
    text: &str,
    game: &G,
    implied: impl Fn(&G::State) -> u8,
) -> Result<Vec<StageStart<G::State>>, RunError> {
    let mut boards = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: String| RunError::Unusable(format!("{}:{number}: {what}", path.display()));
        let mut fields = line.split('\t');
        let position = fields.next().unwrap_or_default();
        let mut count = |what: &str| match fields.next() {
            None => Ok(None),
            Some(text) => text
                .trim()
                .parse::<u64>()
                .map(Some)
                .map_err(|_| wrong(format!("the {what} after the tab is not a number"))),
        };
        let (score, last, stage) = (count("score")?.unwrap_or(0), count("last score")?, count("stage")?);
        let state = notation::read(game, position).map_err(|e| wrong(e.to_string()))?;
        let stage = match stage {
            None => implied(&state),
            Some(stage) => u8::try_from(stage)
                .ok()
                .and_then(|stage| stage.checked_sub(1))
                .ok_or_else(|| wrong("stages are numbered from 1".into()))?,
        };
        boards.push(StageStart { start: StartPoint { state, stage, score }, last: last.unwrap_or(score) });
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::game::threes::{Rules, Threes};
    use afterstate::grid::Shape;
    use afterstate::random::Random;

    #[test]
    fn boards_read_back_as_they_were_and_damage_is_found() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("stage-2.boards");
        let game = Threes::<16>::new(Shape::FOUR, Rules::PAPER);
        let mut starts = StageStarts::new(Keep::Last(2));
        let mut random = Random::new(1);
        for score in [5, 6, 7] {
            let state = game.start(&mut random);
            starts.add(StageStart { start: StartPoint { state, stage: 1, score }, last: 10 * score });
        }
        write(&path, &game, &starts).unwrap();
        assert_eq!(read(&path, &game, Keep::Last(2)).unwrap(), starts);
        let good = std::fs::read_to_string(&path).unwrap();
        // Whatever stands beside the checksum is no board.
        let board = good.lines().find(|line| !line.starts_with('#')).unwrap();
        let hidden = good.replace(END, &format!("{END} 2\n{board}\n"));
        for bad in [
            good.replace("\t60\t", "\t61\t"),
            good[..good.len() / 2].into(),
            hidden,
            format!("{good}{board}\n"),
            String::new(),
        ] {
            std::fs::write(&path, bad).unwrap();
            let error = read(&path, &game, Keep::Last(2)).unwrap_err().to_string();
            assert!(error.contains("stage-2.boards is damaged"), "{error}");
        }
    }
}
