//! From the words of a recipe to the parts of the library; every mistake is found before anything
//! starts.

use super::{PerPly, Recipe, RecipeError, Start, StepRule, Target, ValueKind};
use crate::variant::{ConfiguredGame, VariantError};
use afterstate::budget::OutOfMemory;
use afterstate::game::Game;
use afterstate::game::catalogue::{AnyGame, GameSpec};
use afterstate::learn::greedy::{self, Staging};
use afterstate::learn::stage_starts::Keep;
use afterstate::learn::step_size::{self, per_weight};
use afterstate::learn::target::{self, lambda_weights};
use afterstate::learn::{self, start};
use afterstate::network::feature::Feature;
use afterstate::network::pattern::{one_per_orbit, parse_patterns};
use afterstate::network::walls::Walls;
use afterstate::network::{Network, Sets, Structure};
use afterstate::search::MAX_PLY;
use afterstate::task::{Generator, Goal, Task};
use afterstate::train::Method;
use afterstate::with_game;

/// First boards of a stage that the carousel starts from (Jaśkowski 2016).
const CAROUSEL: usize = 1_000;

/// Why a recipe cannot be built.
pub type BuildError = RecipeError;

/// The parts a recipe names.
#[derive(Clone, Debug)]
pub struct Built {
    /// The game.
    pub game: ConfiguredGame,
    /// The network to be trained.
    pub structure: Structure,
    /// Kind of values.
    pub value_kind: greedy::ValueKind,
    /// Target of the updates.
    pub target: target::Target,
    /// Start and end of training games, if not as the rules say.
    pub task: Task,
}

pub(super) fn wrong(key: &str, what: impl std::fmt::Display) -> RecipeError {
    RecipeError::key(key, what)
}

/// Refuses a key where something does not hold.
pub(super) fn require(holds: bool, key: &str, what: &str) -> Result<(), RecipeError> {
    if holds { Ok(()) } else { Err(wrong(key, what)) }
}

impl Recipe {
    /// Checks the whole recipe and finds its parts.
    pub fn build(&self) -> Result<Built, BuildError> {
        let game = self.game()?;
        let value_kind = greedy::ValueKind::from(self.learning.values);
        let structure = self.structure(&game.rules, value_kind)?;
        let target = self.target()?;
        self.check_numbers()?;
        self.check_evaluations()?;
        self.check_stages(&structure.stages)?;
        self.check_size(&structure)?;
        let task = Task { start: self.generator(&game.rules)?, goal: self.goal(&game.rules)? };
        Ok(Built { game, structure, value_kind, target, task })
    }

    fn game(&self) -> Result<ConfiguredGame, BuildError> {
        let spec = GameSpec::parse(&self.game).map_err(|error| wrong("game", error))?;
        ConfiguredGame::new(spec, self.variant.clone()).map_err(|error| match error {
            VariantError::Game(_) => wrong("variant", error),
            VariantError::Spawn(_) => wrong("variant.spawn", error),
        })
    }

    fn structure(&self, game: &AnyGame, value_kind: greedy::ValueKind) -> Result<Structure, BuildError> {
        let network = &self.network;
        let shape = game.shape();
        let mut patterns = parse_patterns(&network.patterns, shape, network.alphabet)
            .map_err(|e| wrong("network.patterns", e))?;
        if network.shared {
            patterns = one_per_orbit(patterns, shape);
        }
        let feature = |name: &String| {
            let known =
                "large-11, empty, distinct, mergeable, mergeable-threes, doubles, doubles-threes, hint, bag";
            Feature::parse(name).ok_or_else(|| {
                let name = name.escape_debug();
                wrong("network.features", format!("there is no feature '{name}'; there are {known}"))
            })
        };
        let features = network.features.iter().map(feature).collect::<Result<_, _>>()?;
        let stages = self.stage_rules(game)?;
        Ok(Structure {
            shape,
            patterns,
            features,
            shared: network.shared,
            sets: self.sets(game, value_kind)?,
            walls: self.walls(stages.count())?,
            stages,
        })
    }

    fn walls(&self, stages: usize) -> Result<Option<Walls>, BuildError> {
        let Some(apart) = self.network.walls else { return Ok(None) };
        let most = 16;
        require(apart <= most, "network.walls", &format!("at most {most}"))?;
        let walls = |from| Walls { from, apart };
        let ranks = walls(0).alphabet(stages);
        let from = self.network.alphabet.checked_sub(ranks).filter(|&from| from > 0);
        from.map(|from| Some(walls(from)))
            .ok_or_else(|| wrong("network.walls", "too few ranks: use a larger network.alphabet"))
    }

    /// Reads `16384+8192` as ranks.
    fn ranks(game: &AnyGame, key: &str, text: &str) -> Result<Vec<u8>, BuildError> {
        let rank = |part: &str| {
            let label = part.trim().parse().ok();
            label.and_then(|label| with_game!(game, g => g.rank_of(label))).ok_or_else(|| {
                let part = part.escape_debug();
                wrong(key, format!("'{part}' is no tile of this game; write tiles like 16384+8192"))
            })
        };
        text.split('+').map(rank).collect()
    }

    fn goal(&self, game: &AnyGame) -> Result<Option<Goal>, BuildError> {
        let Some(tiles) = &self.learning.goal else { return Ok(None) };
        let (key, learning) = ("learning.goal", &self.learning);
        let goal = Goal::new(Self::ranks(game, key, tiles)?);
        let values = learning.values == ValueKind::Afterstates;
        require(values, key, "games are cut where afterstates are valued; use values = \"afterstates\"")?;
        let plain = learning.target != Target::Expected && !learning.forfeit;
        require(plain, key, "goes neither with target = \"expected\" nor with forfeit")?;
        Ok(Some(goal))
    }

    fn generator(&self, game: &AnyGame) -> Result<Option<Generator>, BuildError> {
        let key = "learning.generated";
        let generated = match (self.learning.start, &self.learning.generated) {
            (Start::Generated, Some(generated)) => generated,
            (Start::Generated, None) => {
                return Err(wrong(
                    key,
                    "start = \"generated\" needs a table [learning.generated] with its tiles",
                ));
            }
            (_, Some(_)) => return Err(wrong(key, "goes with start = \"generated\"")),
            (_, None) => return Ok(None),
        };
        let way = match generated.way.trim() {
            "" => Vec::new(),
            way => Self::ranks(game, "learning.generated.way", way)?,
        };
        let small = with_game!(game, g => g.rank_of(generated.small));
        let generator = Generator {
            large: Self::ranks(game, "learning.generated.tiles", &generated.tiles)?,
            way,
            anywhere: generated.anywhere,
            small: small.ok_or_else(|| wrong("learning.generated.small", "is no tile of this game"))?,
            pool: generated.pool,
            renew: generated.renew,
            seed: self.run.seed,
        };
        let anywhere = (0.0..=1.0).contains(&generated.anywhere);
        require(anywhere, "learning.generated.anywhere", "must be from 0 to 1")?;
        let fits = generator.fits(game.shape());
        require(fits, "learning.generated.tiles", "these tiles leave no room on the board")?;
        Ok(Some(generator))
    }

    fn sets(&self, game: &AnyGame, value_kind: greedy::ValueKind) -> Result<Sets, BuildError> {
        let hints = matches!(game, AnyGame::Threes(_) | AnyGame::LargeThrees(_));
        match (self.network.by_hint, value_kind.sets()) {
            (false, sets) => Ok(sets),
            (true, _) if !hints => Err(wrong("network.by_hint", "only Threes announces the next tile")),
            (true, Sets::One) => Ok(Sets::Hints),
            (true, _) => Err(wrong("network.by_hint", "actions have sets of weights of their own")),
        }
    }

    fn target(&self) -> Result<target::Target, BuildError> {
        let learning = &self.learning;
        require((1..=1000).contains(&learning.steps), "learning.steps", "must be from 1 to 1000")?;
        require((0.0..=1.0).contains(&learning.lambda), "learning.lambda", "must be from 0 to 1")?;
        if learning.target == Target::Expected {
            let fits = learning.values == ValueKind::Afterstates && !learning.forfeit;
            require(fits, "learning.target", "`expected` is for afterstates, and without forfeit")?;
        } else {
            let what = "other targets than `expected` would learn what exploring costs";
            require(learning.explore <= 0.0, "learning.explore", what)?;
        }
        Ok(match learning.target {
            Target::Expected => target::Target::Expected { explore: learning.explore },
            Target::Td0 => target::Target::td0(),
            Target::NStep => target::Target::n_step(learning.steps),
            Target::Truncated => target::Target::Returns {
                weights: lambda_weights(learning.lambda, learning.steps),
                after_game: true,
            },
            Target::Backward => target::Target::Backward { lambda: learning.lambda },
            Target::Delayed => target::Target::Delayed { lambda: learning.lambda, horizon: learning.steps },
        })
    }

    /// The step size for a network with `active` active weights.
    pub fn step_rule(&self, network: &Network) -> step_size::StepRule {
        let learning = &self.learning;
        let kept = if learning.memory == 0.0 { 1.0 } else { 1.0 - 1.0 / learning.memory };
        match learning.step {
            StepRule::Fixed => step_size::StepRule::Fixed {
                per_weight: match (learning.alpha, learning.alpha_total) {
                    (Some(alpha), _) => alpha,
                    (None, Some(total)) => per_weight(total, network.active()),
                    (None, None) => 0.0025,
                },
            },
            StepRule::Coherence => step_size::StepRule::Coherence { beta: learning.beta, kept },
            StepRule::Credit => step_size::StepRule::Credit { beta: learning.beta, kept },
            StepRule::VisitCount => step_size::StepRule::VisitCount { eta: learning.eta },
        }
    }

    fn check_numbers(&self) -> Result<(), BuildError> {
        let learning = &self.learning;
        let positive = |key: &str, value: f32| {
            let what = format!("{value} is not a step size above 0");
            require(value.is_finite() && value > 0.0, key, &what)
        };
        let both = learning.alpha.is_some() && learning.alpha_total.is_some();
        require(!both, "learning.alpha", "give alpha (per weight) or alpha_total (divided by m), not both")?;
        positive("learning.alpha", learning.alpha.unwrap_or(1.0))?;
        positive("learning.alpha_total", learning.alpha_total.unwrap_or(1.0))?;
        positive("learning.beta", learning.beta)?;
        positive("learning.eta", learning.eta)?;
        positive("learning.decay", learning.decay)?;
        let memory = learning.memory == 0.0 || learning.memory >= 1.0 && learning.memory.is_finite();
        require(memory, "learning.memory", "must be a number of visits from 1 on, or 0 to forget nothing")?;
        require((0.0..=1.0).contains(&learning.keep_sums), "learning.keep_sums", "must be from 0 to 1")?;
        let coherence = learning.coherence > 0.0 && learning.coherence <= 1.0;
        require(coherence, "learning.coherence", "must be above 0, at most 1")?;
        require((0.0..=1.0).contains(&learning.explore), "learning.explore", "must be from 0 to 1")?;
        require(learning.saturation > 0, "learning.saturation", "must be at least 1")?;
        require(learning.optimistic.is_finite(), "learning.optimistic", "must be a number")?;
        if learning.optimistic != 0.0 {
            require(
                learning.values != ValueKind::States,
                "learning.optimistic",
                "cannot go with values = \"states\": dead states are never learned and would keep that value; \
                 use values = \"afterstates\" or optimistic = 0",
            )?;
            let what = "a model has values of its own; leave optimistic = 0";
            require(learning.from.is_none(), "learning.from", what)?;
        }
        let boards = (learning.start == Start::Boards) == learning.boards.is_some();
        require(boards, "learning.boards", "a file of positions goes with start = \"boards\"")?;
        require(
            learning.start != Start::Searched || learning.values == ValueKind::Afterstates,
            "learning.start",
            "only values of afterstates can be searched; use values = \"afterstates\" or start = \"restart\"",
        )?;
        let decays = learning.schedule.is_none() || learning.decay == 1.0;
        require(decays, "learning.schedule", "a schedule and decay both set the step; leave decay = 1")?;
        require((1..=3).contains(&learning.search_ply), "learning.search_ply", "must be 1, 2 or 3")?;
        require(self.run.games > 0, "run.games", "must be at least 1")?;
        require(self.run.threads <= 1024, "run.threads", "must be at most 1024")?;
        let checkpoint = self.checkpoint.minutes > 0.0 && self.checkpoint.keep > 0;
        require(checkpoint, "checkpoint", "minutes and keep must be above 0")
    }

    fn check_evaluations(&self) -> Result<(), BuildError> {
        let last = self.last.games.clone().unwrap_or(PerPly::Same(1));
        let both =
            [("evaluate", &self.evaluate.games, &self.evaluate.plies), ("final", &last, &self.last.plies)];
        for (table, games, plies) in both {
            let key = format!("{table}.plies");
            games.check(plies).map_err(|what| wrong(&format!("{table}.games"), what))?;
            if plies.is_empty() || plies.iter().any(|ply| !(1..=MAX_PLY).contains(ply)) {
                return Err(wrong(&key, format!("list numbers of moves from 1 to {MAX_PLY}, like [1, 2]")));
            }
            if let Some(twice) = plies.iter().find(|ply| plies.iter().filter(|p| p == ply).count() > 1) {
                return Err(wrong(&key, format!("{twice} is there twice")));
            }
            if table == "evaluate" && self.evaluate.every > 0 && (0..plies.len()).any(|i| games.at(i) == 0) {
                return Err(wrong("evaluate.games", "must be at least 1; every = 0 leaves evaluations out"));
            }
            if self.learning.values != ValueKind::Afterstates && plies.iter().any(|&ply| ply > 1) {
                let what = "only values of afterstates can be searched; use [1], or values = \"afterstates\"";
                return Err(wrong(&key, what));
            }
        }
        Ok(())
    }

    /// Refuses what could not be held in memory or read again.
    fn check_size(&self, structure: &Structure) -> Result<(), BuildError> {
        let entry = self.learning.step.bytes();
        let weights = structure.places() as u64;
        let limit = afterstate::network::file::MEMORY_LIMIT;
        if weights.saturating_mul(entry) > limit
            || weights / structure.banks() as u64 > u64::from(u32::MAX >> 1)
        {
            let size =
                format!("{weights} weights of {entry} bytes are too many, the limit is {} GiB", limit >> 30);
            return Err(wrong("network", format!("{size}; use fewer or shorter patterns, stages or ranks")));
        }
        Ok(())
    }

    /// The learning method on a concrete game; `boards` are the positions to start from, if the
    /// recipe wants them.
    pub fn method<G: Game>(
        &self,
        built: &Built,
        boards: Vec<start::StartPoint<G::State>>,
    ) -> Method<G::State> {
        let learning = &self.learning;
        Method {
            value_kind: built.value_kind,
            target: built.target.clone(),
            start: match learning.start {
                Start::Fresh => start::Start::Fresh,
                Start::Restart => start::Start::Restart { shortest: learning.restart_shortest },
                Start::Searched => {
                    start::Start::Searched { ply: learning.search_ply, starts: learning.search_starts }
                }
                Start::Boards => start::Start::Boards(boards),
                Start::Generated => {
                    start::Start::Generated(built.task.start.clone().expect("checked by Recipe::build"))
                }
            },
            staging: Staging::Follow,
            forfeit: learning.forfeit,
            keep: if self.stages.carousel { Keep::Last(CAROUSEL) } else { Keep::Nothing },
            carousel: self.stages.carousel,
            goal: built.task.goal.clone(),
        }
    }

    /// A fresh learner.
    pub fn learner(&self, structure: Structure) -> Result<learn::Learner, OutOfMemory> {
        let network = Network::try_new(structure)?;
        if self.learning.optimistic != 0.0 {
            let stages = &network.structure().stages;
            let own = (0..stages.count() as u8).filter(|&stage| !stages.is_promoted(stage));
            own.for_each(|stage| network.fill_stage(stage, self.learning.optimistic));
        }
        let step_size = learn::step_size::StepSize::try_new(self.step_rule(&network), &network)?;
        Ok(learn::Learner { network, step_size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> Result<Built, String> {
        Recipe::parse("m", text, &[]).unwrap().build().map_err(|e| e.to_string())
    }

    #[test]
    fn every_mistake_names_its_key() {
        let base = |network: &str, learning: &str| {
            format!("[network]\npatterns = \"4x6\"\n{network}\n[learning]\n{learning}\n[run]\ngames = 1\n")
        };
        for (text, key) in [
            (base("features = [\"emty\"]", ""), "network.features"),
            (base("stages = [\"16384+3\"]", ""), "stages.split"),
            (base("alphabet = 1", ""), "network.patterns"),
            (base("by_hint = true", ""), "network.by_hint"),
            (
                format!("game = \"threes\"\n{}", base("by_hint = true", "values = \"actions\"")),
                "network.by_hint",
            ),
            (base("", "lambda = 1.5"), "learning.lambda"),
            (base("", "alpha = 0.1\nalpha_total = 0.1"), "learning.alpha"),
            (base("", "beta = -1.0"), "learning.beta"),
            (base("", "keep_sums = 1.5"), "learning.keep_sums"),
            (base("", "coherence = 0.0"), "learning.coherence"),
            (base("", "memory = 0.5"), "learning.memory"),
            (base("", "target = \"expected\"\nvalues = \"states\""), "learning.target"),
            (base("", "target = \"expected\"\nforfeit = true"), "learning.target"),
            (base("", "target = \"expected\"\nexplore = 1.5"), "learning.explore"),
            (base("", "explore = 0.1"), "learning.explore"),
            (base("", "start = \"boards\""), "learning.boards"),
            (
                base("", "")
                    .replace("4x6", "0123456 1234567 2345678 3456789")
                    .replace("[learn", "alphabet = 20\n[learn"),
                "network",
            ),
            (base("", "steps = 0"), "learning.steps"),
            (base("", "target = \"n-step\"\nsteps = 0"), "learning.steps"),
            (base("", "values = \"states\"\noptimistic = 100.0"), "learning.optimistic"),
            (base("", "from = \"m\"\noptimistic = 100.0"), "learning.from"),
            (base("", "").replace("games = 1", "games = 1\nthreads = 99999"), "run.threads"),
            (base("", "") + "[checkpoint]\nminutes = nan\n", "checkpoint"),
            (base("", "").replace("[network]", "game = \"2049\"\n[network]"), "game"),
            (base("", "").replace("games = 1", "games = 0"), "run.games"),
            (base("", "") + "[evaluate]\nplies = [1, 2]\ngames = [5]\n", "evaluate.games"),
            (base("", "") + "[evaluate]\nevery = 5\ngames = 0\n", "evaluate.games"),
            (base("", "") + "[evaluate]\nplies = [1, 1]\n", "evaluate.plies"),
            (base("", "") + "[final]\nplies = [0]\n", "final.plies"),
            (base("", "values = \"states\"") + "[final]\nplies = [2]\n", "final.plies"),
        ] {
            let error = build(&text).unwrap_err();
            assert!(error.starts_with(key), "{error}");
        }
    }

    #[test]
    fn stages_are_named_by_their_tiles() {
        let built =
            build("[network]\npatterns = \"4x6\"\nstages = [\"16384\", \"16384+8192\"]\n[run]\ngames = 1\n");
        assert_eq!(built.unwrap().structure.stages.splits(), [vec![14], vec![14, 13]]);
    }
}
