//! A game in progress: positions so far, the engine that helps, the actions of keys. It knows no
//! terminal.

use super::history::{History, Mover};
use super::pace::Pace;
use crate::terminal::grouped;
use afterstate::game::Game;
use afterstate::grid::Direction;
use afterstate::random::Random;
use afterstate::search::{Answer, MAX_PLY, Workspace};
use afterstate_lab::engine::{Cancelled, Engine, SearchBudget};
use afterstate_lab::replay::ours;
use afterstate_lab::variant::Variant;
use std::time::Duration;

/// An action of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Slide(Direction),
    Undo,
    Redo,
    Restart,
    Hint,
    Values,
    Auto,
    Faster,
    Slower,
    Deeper,
    Shallower,
    NextGame,
    NextBoard,
    Quit,
}

/// Why a session is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaving {
    Quit,
    NextGame,
    NextBoard,
}

/// Moves a second.
pub(crate) const SPEEDS: [u32; 10] = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 100_000];

/// The engine that helps, or what there is until it is loaded.
pub(crate) enum Helper {
    /// Its name, and the time it has taken so far.
    Loading(String, Duration),
    Ready(Box<Engine>),
}

/// A game in progress.
pub(crate) struct Session<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) helper: Helper,
    /// Budget of a search; until the engine is there, none.
    budget: Option<SearchBudget<'static>>,
    history: History<G>,
    /// Games before this one, which undo leads back to.
    earlier: Vec<History<G>>,
    random: Random,
    work: Workspace<G>,
    /// Values of the moves of the position on the board.
    values: Option<Answer>,
    /// True if a hint was asked for at this position.
    hint: bool,
    pub(crate) always_values: bool,
    pub(crate) auto: bool,
    pub(crate) speed: usize,
    /// The part of a move that is due but not made yet.
    due: f64,
    message: String,
    won: bool,
    pub(super) pace: Pace,
}

impl<'a, G: Game> Session<'a, G> {
    pub(crate) fn new(game: &'a G, loading: String, seed: u64, auto: bool, speed: u32) -> Self {
        let mut random = Random::new(seed);
        let history = History::start(game, &mut random);
        let speed = SPEEDS.iter().position(|&known| known >= speed).unwrap_or(SPEEDS.len() - 1);
        Self {
            game,
            helper: Helper::Loading(loading, Duration::ZERO),
            budget: None,
            history,
            earlier: Vec::new(),
            random,
            work: Workspace::default(),
            values: None,
            hint: false,
            always_values: false,
            auto,
            speed,
            due: 1.0,
            message: String::new(),
            won: false,
            pace: Pace::default(),
        }
    }

    /// The engine is loaded; `usual`, nobody chose its depth.
    pub(crate) fn arrive(&mut self, engine: Engine, usual: bool) {
        let game = self.game;
        self.history.follow(game, |stage, afterstate| engine.next_stage(game, stage, afterstate));
        self.budget = Some(engine.budget);
        self.pace.usual = usual;
        self.helper = Helper::Ready(Box::new(engine));
    }

    /// The budget of the next search.
    pub(crate) fn budget(&self) -> Option<SearchBudget<'static>> {
        self.budget.map(|budget| if self.auto { self.pace.budget(budget) } else { budget })
    }

    pub(crate) fn state(&self) -> &G::State {
        self.history.state()
    }

    pub(crate) fn score(&self) -> u64 {
        self.history.score()
    }

    pub(crate) fn moves(&self) -> usize {
        self.history.moves()
    }

    pub(crate) fn over(&self) -> bool {
        self.game.is_over(self.state())
    }

    pub(crate) fn can_undo(&self) -> bool {
        self.history.can_undo() || !self.earlier.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// The engine, once it is loaded.
    pub(crate) fn engine(&self) -> Option<&Engine> {
        match &self.helper {
            Helper::Ready(engine) => Some(engine),
            Helper::Loading(..) => None,
        }
    }

    /// Values of the moves of the position on the board, if they are to be shown and known.
    pub(crate) fn shown_values(&self) -> Option<&Answer> {
        self.values.as_ref().filter(|_| self.wants_values())
    }

    /// True if the values of this position are wanted.
    pub(crate) fn wants_values(&self) -> bool {
        !self.over() && (self.auto || self.hint || self.always_values)
    }

    /// True if a search is due.
    pub(crate) fn is_thinking(&self) -> bool {
        let found = self.values.as_ref().is_some_and(|answer| self.is_final(answer));
        self.wants_values() && !found && self.engine().is_some()
    }

    /// False if a key broke the search off.
    fn is_final(&self, answer: &Answer) -> bool {
        answer.complete || self.budget.is_some_and(|budget| budget.time.is_some())
    }

    /// One line about what has just happened.
    pub(crate) fn message(&self) -> String {
        match self.values.as_ref().filter(|_| self.hint).and_then(|answer| answer.best) {
            Some(best) => format!("hint: {best}"),
            None => self.message.clone(),
        }
    }

    /// Every game of this session that had a move, the oldest first.
    pub(crate) fn records(&self, variant: &Variant) -> Vec<ours::ReplayLine> {
        let ai = self.engine().map_or("AI".to_string(), Engine::description);
        let all = self.earlier.iter().chain([&self.history]).filter(|history| history.moves() > 0);
        all.map(|history| history.record(self.game, variant, &ai)).collect()
    }

    /// Does what is wanted; what leads away from this session is returned.
    pub(crate) fn act(&mut self, action: Action) -> Option<Leaving> {
        self.message.clear();
        match action {
            Action::Slide(direction) => {
                self.auto = false;
                self.slide(direction, Mover::Person);
            }
            Action::Undo => self.undo(),
            Action::Redo if self.can_redo() => {
                self.history.redo();
                self.moved();
            }
            Action::Redo => self.message = "nothing to redo".into(),
            Action::Restart => self.restart(),
            Action::Hint if self.over() => self.message = "no move is legal".into(),
            Action::Hint => {
                self.auto = false;
                self.hint = true;
            }
            Action::Values => self.always_values = !self.always_values,
            Action::Auto => {
                self.auto = !self.auto && !self.over();
                self.due = 1.0;
                self.pace.again();
                // What was searched less deep is not shown to a person.
                self.values = None;
            }
            Action::Faster => self.set_speed((self.speed + 1).min(SPEEDS.len() - 1)),
            Action::Slower => self.set_speed(self.speed.saturating_sub(1)),
            Action::Deeper => self.deepen(1),
            Action::Shallower => self.deepen(-1),
            Action::NextGame => return Some(Leaving::NextGame),
            Action::NextBoard => return Some(Leaving::NextBoard),
            Action::Quit => return Some(Leaving::Quit),
        }
        None
    }

    /// Time has passed: the moves that are due are made, but no longer than a frame takes, and the
    /// values that are wanted are searched.
    pub(crate) fn pass(&mut self, time: Duration, frame_over: &dyn Fn() -> bool, cancelled: Cancelled<'_>) {
        if let Helper::Loading(_, taken) = &mut self.helper {
            *taken += time;
            return;
        }
        let speed = f64::from(SPEEDS[self.speed]);
        self.due = (self.due + time.as_secs_f64() * speed).min(speed.max(1.0));
        let mut overdue = false;
        while self.auto && self.due >= 1.0 {
            self.think(cancelled);
            let Some(answer) = self.values.filter(|answer| self.is_final(answer)) else { break };
            self.due -= 1.0;
            match answer.best {
                Some(best) => self.slide(best, Mover::Ai),
                None => self.auto = false,
            }
            if frame_over() {
                overdue = self.due >= 1.0;
                self.due = self.due.min(1.0);
                break;
            }
        }
        if self.auto {
            self.pace.frame(overdue);
        }
        self.think(cancelled);
    }

    fn set_speed(&mut self, speed: usize) {
        self.speed = speed;
        self.pace.again();
    }

    /// Searches the position on the board, if its values are wanted and not known.
    fn think(&mut self, cancelled: Cancelled<'_>) {
        if !self.is_thinking() {
            return;
        }
        let (state, stage) = (*self.history.state(), self.history.stage());
        if let (Helper::Ready(engine), Some(budget)) = (&self.helper, self.budget()) {
            let budget = budget.unless(cancelled);
            self.values = Some(engine.search(self.game, &state, stage, budget, &mut self.work));
        }
    }

    fn slide(&mut self, direction: Direction, by: Mover) {
        let (game, helper) = (self.game, &self.helper);
        let stage = |stage, afterstate: &G::Afterstate| match helper {
            Helper::Ready(engine) => engine.next_stage(game, stage, afterstate),
            Helper::Loading(..) => 0,
        };
        if !self.history.slide(game, direction, by, &mut self.random, stage) {
            if self.over() {
                self.message = self.end();
            }
            return;
        }
        self.moved();
        let largest = self.game.state_view(self.state()).cells.iter().copied().max().unwrap_or(0);
        if largest >= self.game.win_rank() && !self.won {
            self.won = true;
            self.message = format!("the {} tile! play goes on", self.game.label(self.game.win_rank()));
        }
        if self.over() {
            self.message = self.end();
            self.auto = false;
        }
    }

    fn end(&self) -> String {
        format!("game over: {} points", grouped(self.score() as f64, 0))
    }

    /// Another position is on the board: what was said of the old one is gone.
    fn moved(&mut self) {
        self.values = None;
        self.hint = false;
    }

    fn undo(&mut self) {
        self.auto = false;
        if self.history.can_undo() {
            self.history.undo();
        } else if let Some(before) = self.earlier.pop() {
            self.history = before;
            self.message = "back in the game before".into();
        } else {
            self.message = "nothing to undo".into();
            return;
        }
        self.moved();
    }

    fn restart(&mut self) {
        let next = History::start(self.game, &mut self.random);
        let before = std::mem::replace(&mut self.history, next);
        if before.moves() > 0 {
            self.earlier.push(before);
            self.message = "new game; u leads back to the one before".into();
        }
        self.won = false;
        self.moved();
    }

    fn deepen(&mut self, by: i8) {
        let Some(engine) = self.engine() else { return };
        if !engine.searches() {
            self.message = "the values of this model cannot be searched".into();
            return;
        }
        let ply = self.budget.map_or(1, |budget| budget.ply);
        self.budget = Some(SearchBudget::ply(ply.saturating_add_signed(by).clamp(1, MAX_PLY.min(8))));
        self.pace = Pace::default();
        self.values = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::game::catalogue::AnyGame;
    use afterstate_lab::engine::PlayerName;
    use afterstate_lab::variant::ConfiguredGame;

    fn engine(game: &str) -> Engine {
        let game = ConfiguredGame::parse(game, Default::default()).unwrap();
        Engine::of_player(PlayerName::Heuristic, game, None).unwrap()
    }

    /// A session of a game whose engine is there.
    fn session<G: Game>(game: &G, engine: Engine) -> Session<'_, G> {
        let mut session = Session::new(game, "a model".into(), 1, false, 10);
        session.arrive(engine, true);
        session
    }

    fn moment<G: Game>(session: &mut Session<'_, G>) {
        session.pass(Duration::ZERO, &|| true, None);
    }

    fn legal<G: Game>(session: &Session<'_, G>) -> Action {
        let legal = |&d: &Direction| session.game.slide(session.state(), d).is_some();
        Action::Slide(Direction::ALL.into_iter().find(legal).unwrap())
    }

    #[test]
    fn keys_play_undo_and_restart() {
        let engine = engine("2048");
        let AnyGame::Twenty48(game) = &engine.game.rules.clone() else { panic!("4x4") };
        let mut session = session(game, engine);
        let start = *session.state();
        session.act(legal(&session));
        assert_eq!(session.moves(), 1);
        let moved = *session.state();
        session.act(Action::Undo);
        assert_eq!((*session.state(), session.moves()), (start, 0));
        session.act(Action::Undo);
        assert_eq!(session.message(), "nothing to undo");
        session.act(Action::Redo);
        assert_eq!(*session.state(), moved);
        assert_eq!(session.act(Action::Quit), Some(Leaving::Quit));
    }

    /// A new game by mistake is no loss, and all games are there to be saved.
    #[test]
    fn a_new_game_can_be_undone() {
        let engine = engine("2048-3x3");
        let AnyGame::Twenty48(game) = &engine.game.rules.clone() else { panic!("3x3") };
        let mut session = session(game, engine);
        for _ in 0..3 {
            session.act(legal(&session));
        }
        let left = *session.state();
        session.act(Action::Restart);
        assert_eq!(session.moves(), 0);
        session.act(Action::Undo);
        assert_eq!((*session.state(), session.moves()), (left, 3));
        session.act(Action::Restart);
        session.act(Action::Restart);
        session.act(legal(&session));
        let lengths =
            session.records(&Variant::default()).iter().map(|line| line.moves.len()).collect::<Vec<_>>();
        assert_eq!(lengths, [3, 1], "a game without a move is none");
    }

    /// The fault of a hint that stayed above later moves.
    #[test]
    fn hints_and_values_belong_to_the_position_on_the_board() {
        let engine = engine("2048");
        let AnyGame::Twenty48(game) = &engine.game.rules.clone() else { panic!("4x4") };
        let mut session = session(game, engine);
        session.act(Action::Hint);
        moment(&mut session);
        assert!(session.message().starts_with("hint: ") && session.shown_values().is_some());
        session.act(legal(&session));
        assert!(session.message().is_empty() && session.shown_values().is_none());
        session.act(Action::Undo);
        assert!(session.message().is_empty() && session.shown_values().is_none());
        // While the AI plays, the values shown are those of the board that is shown.
        session.act(Action::Auto);
        for _ in 0..5 {
            session.pass(Duration::from_millis(100), &|| true, None);
            let shown = *session.shown_values().expect("values of this board");
            let (state, stage) = (*session.state(), session.history.stage());
            let engine = session.engine().unwrap();
            let asked = engine.search(game, &state, stage, engine.budget, &mut Workspace::default());
            assert_eq!(shown.moves, asked.moves);
        }
    }

    /// Keys work while a model is loading; what was asked for meanwhile is answered when it is
    /// there.
    #[test]
    fn a_model_that_is_loading_stops_nobody() {
        let engine = engine("2048-3x3");
        let AnyGame::Twenty48(game) = &engine.game.rules.clone() else { panic!("3x3") };
        let mut session = Session::new(game, "the model of 2048-3x3".into(), 1, false, 10);
        session.act(legal(&session));
        session.act(Action::Hint);
        session.pass(Duration::from_secs(2), &|| false, None);
        assert_eq!((session.moves(), session.message().as_str()), (1, ""));
        assert!(matches!(&session.helper, Helper::Loading(_, taken) if taken.as_secs() == 2));
        session.arrive(engine, true);
        moment(&mut session);
        assert!(session.message().starts_with("hint: "));
    }

    #[test]
    fn auto_play_keeps_its_pace_and_ends_with_the_game() {
        let engine = engine("2048-2x2");
        let AnyGame::Twenty48(game) = &engine.game.rules.clone() else { panic!("2x2") };
        let mut session = session(game, engine);
        session.act(Action::Auto);
        session.pass(Duration::from_millis(100), &|| false, None);
        assert!((1..=2).contains(&session.moves()), "{}", session.moves());
        for _ in 0..1000 {
            session.pass(Duration::from_secs(1), &|| false, None);
        }
        assert!(session.over() && !session.auto);
        assert!(session.message().starts_with("game over"), "{}", session.message());
        let record = session.records(&Variant::default()).remove(0);
        assert_eq!((record.player.as_deref(), record.score), (Some("heuristic"), Some(session.score())));
        // A frame that is over ends the moves of this pass.
        session.act(Action::Restart);
        session.act(Action::Auto);
        session.speed = SPEEDS.len() - 1;
        session.pass(Duration::from_secs(1), &|| true, None);
        assert_eq!(session.moves(), 1);
    }

    /// At a speed that its usual depth cannot reach, the AI looks less far; whoever stops it is told
    /// what the usual depth says.
    #[test]
    fn an_ai_that_falls_behind_looks_less_far() {
        let engine = engine("2048");
        let AnyGame::Twenty48(game) = &engine.game.rules.clone() else { panic!("4x4") };
        let mut session = session(game, engine);
        let ply = |session: &Session<'_, _>| session.budget().unwrap().ply;
        assert_eq!(ply(&session), 2);
        session.speed = SPEEDS.len() - 1;
        session.act(Action::Auto);
        for _ in 0..20 {
            session.pass(Duration::from_secs(1), &|| true, None);
        }
        assert_eq!(ply(&session), 1);
        session.act(Action::Auto);
        assert_eq!(ply(&session), 2);
    }
}
