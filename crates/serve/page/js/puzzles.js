// Find the move: the mistakes of the person's games as puzzles, with the answer and the reason.

import { Arrows } from './arrows.js';
import { Board } from './board.js';
import { Chances } from './chances.js';
import { announce, button, byId, h, kept, number, percent, toast } from './dom.js';
import { keys, swipes } from './input.js';
import { ARROWS, DIRECTIONS, parseGame, parsePosition, slide } from './rules.js';
import { positionLink } from './share.js';
import { bars, ofJudged } from './values.js';
import { depthWords, gameWords, hintWords, playerWords, t } from './words.js';

const PLACE = 'puzzles';
const MOST = 200;
/** A move that keeps this share of the best one's value solves a puzzle. */
const GOOD_ENOUGH = 0.99;

/** Keeps puzzles for later; a position that is known already is not asked twice. */
export function keepPuzzles(found) {
  const old = kept.read(PLACE, []);
  const known = new Set(old.map((one) => one.position));
  const fresh = found.filter((one) => !known.has(one.position)).map((one) => ({ ...one, when: Date.now(), tries: 0, solved: false }));
  let all = [...fresh, ...old].slice(0, MOST);
  while (all.length && !kept.write(PLACE, all)) all = all.slice(0, Math.floor(all.length / 2));
}

export class Puzzles {
  constructor(place) {
    this.frame = h('div', { class: 'frame' });
    this.boardPlace = h('div');
    this.frame.append(this.boardPlace);
    this.board = new Board(this.boardPlace);
    this.arrows = new Arrows(this.frame);
    this.about = h('p', { class: 'puzzle-about' });
    this.moves = h('div', { class: 'row puzzle-moves' });
    this.verdict = h('div', { class: 'panel puzzle-verdict' });
    this.answer = h('div', { class: 'bars' });
    this.by = h('p', { class: 'faint' });
    this.rollouts = h('div', { hidden: true });
    this.stage = h('div', { class: 'stage' }, this.about, this.frame, this.moves);
    place.append(this.stage, h('div', { class: 'panels' }, this.verdict,
      h('section', { class: 'panel', 'aria-label': t('puzzle.reason') }, h('h2', {}, t('puzzle.reason')), this.answer, this.by, this.rollouts)));
    this.chances = new Chances(this.rollouts, () => this.asked(), (error) => toast(error.message, 'error'));
    swipes(this.boardPlace, (direction) => this.choose(direction));
    keys(() => !byId('view-puzzles').hidden, {
      arrow: (direction) => this.choose(direction), slide: (direction) => this.choose(direction), n: () => this.next(), Enter: () => this.next(),
    });
  }

  enter() {
    this.all = kept.read(PLACE, []);
    this.order = [...this.all].sort((a, b) => Number(a.solved) - Number(b.solved) || a.tries - b.tries);
    this.at = -1;
    this.next();
  }

  leave() { if (this.puzzle) this.chances.clear(); }

  asked() {
    const { game, puzzle } = this;
    const { cells } = parsePosition(puzzle.position);
    return { game, rules: { game: game.name, variant: game.variant }, cells, position: puzzle.position, model: undefined };
  }

  next() {
    this.at += 1;
    this.puzzle = this.order[this.at % Math.max(1, this.order.length)];
    const empty = !this.puzzle;
    this.stage.hidden = empty;
    this.answer.parentElement.hidden = true;
    if (empty) {
      this.verdict.replaceChildren(h('h2', {}, t('puzzle.title')), h('p', {}, t('puzzle.none')), h('p', {}, h('a', { href: '#/play' }, t('puzzle.go'))));
      return;
    }
    const { puzzle } = this;
    this.done = false;
    this.game = parseGame(puzzle.game, puzzle.variant);
    const { cells, extra } = parsePosition(puzzle.position);
    this.board.setGame(this.game);
    this.board.show(cells);
    this.arrows.show();
    const hint = hintWords(extra);
    this.about.textContent = [t('puzzle.about', { number: number((this.at % this.order.length) + 1), all: number(this.order.length), game: gameWords(this.game), move: number(puzzle.number) }), hint ? t('speak.next', { hint }) : ''].join(' ');
    this.moves.replaceChildren(...DIRECTIONS.map((direction) => button(`${ARROWS[direction]} ${t(`move.${direction}`)}`, () => this.choose(direction), { dataset: { move: direction }, disabled: !slide(this.game, cells, direction).moved })));
    const question = t('puzzle.question', { played: t(`move.${puzzle.played}`), kind: t(`class.${puzzle.kind}`) });
    this.verdict.replaceChildren(h('h2', {}, t('puzzle.title')), h('p', { class: 'question' }, question), h('p', { class: 'faint' }, t('puzzle.how')), this.buttons());
    announce(question);
  }

  buttons() {
    return h('div', { class: 'row' },
      button(t('puzzle.show'), () => this.reveal(null), { hidden: this.done }),
      button(t('puzzle.next'), () => this.next(), { class: this.done ? 'primary' : '', id: 'puzzle-next' }),
      button(t('puzzle.forget'), () => this.forget(), { class: 'quiet' }));
  }

  choose(direction) {
    const { puzzle } = this;
    if (!puzzle || this.done) return;
    const value = puzzle.values[DIRECTIONS.indexOf(direction)];
    if (value === null || value === undefined) return;
    this.reveal(direction);
  }

  /** Whether a move is as good as the best, or nearly. */
  isGood(direction) {
    const best = this.puzzle.values[DIRECTIONS.indexOf(this.puzzle.best)];
    return best - this.puzzle.values[DIRECTIONS.indexOf(direction)] <= (1 - GOOD_ENOUGH) * Math.abs(best);
  }

  reveal(direction) {
    const { puzzle } = this;
    this.done = true;
    const right = direction !== null && this.isGood(direction);
    puzzle.tries += 1;
    puzzle.solved ||= right;
    kept.write(PLACE, this.all);
    const best = puzzle.values[DIRECTIONS.indexOf(puzzle.best)];
    const words = { best: t(`move.${puzzle.best}`), move: direction && t(`move.${direction}`), played: t(`move.${puzzle.played}`) };
    const share = (move) => percent((best - puzzle.values[DIRECTIONS.indexOf(move)]) / Math.max(Math.abs(best), 1e-9));
    const told = direction === null ? t('puzzle.shown', words)
      : direction === puzzle.best ? t('puzzle.best', words) : right ? t('puzzle.right', words) : t('puzzle.wrong', { ...words, share: share(direction) });
    this.verdict.replaceChildren(h('h2', { class: right ? 'good' : 'bad' }, t(right ? 'puzzle.yes' : direction === null ? 'puzzle.answer' : 'puzzle.no')),
      h('p', { class: 'question' }, told), h('p', {}, t('puzzle.lost', { ...words, share: share(puzzle.played) })), this.buttons());
    announce(told);
    this.arrows.show(['best', puzzle.best], ['played', direction && !right ? direction : puzzle.played]);
    for (const one of this.moves.children) one.disabled = true;
    this.answer.parentElement.hidden = false;
    this.rollouts.hidden = false;
    this.answer.replaceChildren(...bars(ofJudged({ ...puzzle, value: best }), { played: direction ?? puzzle.played }));
    const link = positionLink({ game: this.game, position: puzzle.position });
    this.by.replaceChildren(t('puzzle.by', { player: playerWords(puzzle.by ?? ''), depth: depthWords(puzzle.ply) }), ' ', h('a', { href: link }, t('puzzle.open')));
    this.chances.clear();
  }

  forget() {
    this.all = this.all.filter((one) => one !== this.puzzle);
    this.order = this.order.filter((one) => one !== this.puzzle);
    kept.write(PLACE, this.all);
    this.at -= 1;
    this.next();
  }
}
