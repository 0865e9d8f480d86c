// The Threes assistant: you play elsewhere, it says what to do. It counts the bag and knows where tiles slide,
// so it asks only for what chance decided: the cell, the bonus tile, the next tile. Each answer narrows the
// server's list of outcomes; a question with one answer is not asked.

import { backend, connection } from './api.js';
import { Arrows } from './arrows.js';
import { Board } from './board.js';
import { announce, button, h, kept, number, option, toast } from './dom.js';
import { Painter } from './editor.js';
import { ARROWS, FAMILIES, gameName, label, parseGame, parsePosition, slide } from './rules.js';
import { cellWords, familyWords, hintWords, t } from './words.js';

const PLACE = 'assistant';
const DEPTH = 3;

export class Assistant {
  constructor(place) {
    this.place = place;
    this.game = parseGame('threes-app');
    this.past = [];
    this.boardPlace = h('div');
    this.slots = h('div', { class: 'slots' });
    this.frame = h('div', { class: 'frame' }, this.boardPlace);
    this.stage = h('div', { class: 'stage' });
    this.panel = h('section', { class: 'panel', 'aria-live': 'polite' });
    this.place.append(this.stage, h('div', { class: 'panels' }, this.panel));
    this.board = new Board(this.boardPlace);
    this.boardPlace.append(this.slots);
    this.arrows = new Arrows(this.frame);
    const game = kept.read(PLACE);
    if (game) this.resume(game);
    else this.setUp();
  }

  fail(error) {
    if (!error.lost) toast(error.message, 'error');
  }

  // -- the start -------------------------------------------------------------------------------

  setUp() {
    const size = this.game.rows * this.game.cols;
    const painter = new Painter(this.game, new Array(size).fill(0));
    const family = h('select', { onchange: () => this.restart(family.value) }, ...FAMILIES.filter((one) => one.threes)
      .map((one) => option(one.name, familyWords(one.name), one.name === this.game.family.name)));
    let hint = '1';
    const next = h('div', { class: 'row next-choice', role: 'radiogroup', 'aria-label': t('assistant.next') });
    const bag = h('output', {}, '');
    const error = h('p', { class: 'error', role: 'alert' });
    const count = () => {
      const hints = this.possibleHints(painter.cells);
      if (!hints.includes(hint)) hint = '1';
      next.replaceChildren(...hints.map((one) => button(one === '+' ? t('assistant.bonus') : one.replaceAll(',', ' / '), () => { hint = one; count(); }, { class: 'chip-button', role: 'radio', 'aria-checked': String(one === hint), dataset: { hint: one, rank: one } })));
      const counted = this.countedBag(painter.cells, hint)?.split(',');
      bag.textContent = counted ? t('next.bag', { a: counted[0], b: counted[1], c: counted[2] }) : t('assistant.bag.unknown');
      error.textContent = '';
    };
    painter.onchange = count;
    count();
    const begin = async (event) => {
      event.preventDefault();
      if (painter.cells.every((rank) => rank === 0)) {
        error.textContent = t('assistant.empty');
        return;
      }
      painter.extra = { bag: this.countedBag(painter.cells, hint), hint };
      try {
        const found = await backend.position({ game: this.game.name, position: painter.position });
        this.past = [];
        this.think(found.position);
      } catch (problem) {
        error.textContent = problem.lost ? t('values.lost') : problem.message;
      }
    };
    this.stage.replaceChildren(h('form', { onsubmit: begin },
      h('label', {}, t('assistant.rules'), family), painter.element,
      h('p', { class: 'next-title' }, t('assistant.next')), next, error,
      h('div', { class: 'row' },
        h('button', { type: 'submit', class: 'primary' }, t('assistant.start')),
        button(t('assistant.example'), () => this.example()))));
    this.panel.replaceChildren(
      h('h2', {}, t('nav.assistant')),
      h('p', {}, t('assistant.about')),
      h('p', { class: 'bag faint' }, bag));
  }

  /** What the game may announce: a small tile, or bonus tiles up to an eighth of the largest on the board. */
  possibleHints(cells) {
    const most = Math.max(...cells) - 3;
    const bonus = [];
    for (let rank = 4; rank <= most; rank += 1) bonus.push(label(this.game, rank));
    if (bonus.length === 0) return ['1', '2', '3'];
    if (this.game.family.name !== 'threes-app') return ['1', '2', '3', '+'];
    const width = Math.min(3, bonus.length);
    return ['1', '2', '3', ...bonus.slice(0, bonus.length - width + 1).map((_, i) => bonus.slice(i, i + width).join(','))];
  }

  restart(family) {
    this.game = parseGame(gameName(family, 4, 4));
    this.setUp();
  }

  async example() {
    try {
      const found = await backend.newGame({ game: this.game.name });
      this.past = [];
      this.think(found.position);
    } catch (error) {
      this.fail(error);
    }
  }

  /** A game that was helped with before the page was closed. */
  resume({ game, position, past }) {
    this.game = parseGame(game);
    this.past = past;
    this.think(position);
  }

  /** At the start of a game the bag is what is not on the board; later nobody can tell. */
  countedBag(cells, hint) {
    const copies = this.game.family.bag;
    if (cells.some((rank) => rank > 3)) return undefined;
    const left = [copies, copies, copies];
    for (const rank of [...cells, Number(hint)]) if (rank >= 1 && rank <= 3) left[rank - 1] -= 1;
    const sum = left[0] + left[1] + left[2];
    if (left.some((n) => n < 0)) return undefined;
    return sum === 0 ? [copies, copies, copies].join(',') : left.join(',');
  }

  // -- a turn ----------------------------------------------------------------------------------

  async think(position) {
    this.position = position;
    kept.write(PLACE, { game: this.game.name, position, past: this.past.slice(-50) });
    const { cells, extra } = parsePosition(position);
    this.board.setGame(this.game);
    this.board.show(cells);
    this.slots.replaceChildren();
    this.arrows.show();
    this.stage.replaceChildren(this.frame, this.footer());
    this.panel.replaceChildren(h('h2', {}, h('span', { class: 'spinner', 'aria-hidden': 'true' }), ` ${t(this.loaded ? 'busy.thinking' : 'busy.loading', { game: this.game.name })}`));
    let found;
    try {
      found = await backend.analyze({ game: this.game.name, position, ply: DEPTH });
    } catch (error) {
      this.fail(error);
      if (this.position !== position) return;
      this.panel.replaceChildren(h('h2', {}, t('values.lost')), button(t('banner.now'), () => this.think(position)));
      if (error.lost) connection.back().then(() => { if (this.position === position) this.think(position); });
      return;
    }
    this.loaded = true;
    if (this.position !== position) return;
    if (!found.best) {
      this.panel.replaceChildren(h('h2', {}, t('assistant.over')), h('p', {}, t('assistant.over.about')));
      announce(t('assistant.over'));
      return;
    }
    const [a, b, c] = (extra.bag ?? '').split(',');
    this.arrows.show(['best', found.best]);
    const best = t('assistant.best', { move: t(`move.${found.best}`), arrow: ARROWS[found.best] });
    this.panel.replaceChildren(
      h('p', { class: 'question', dataset: { kind: 'best' } }, best),
      h('p', {}, t('assistant.which')),
      h('div', { class: 'choices' }, ...found.moves.filter((move) => move.legal).map((move) => button(
        `${ARROWS[move.move]} ${t(`move.${move.move}`)}${move.loss > 0 ? ` (−${number(move.loss)})` : ''}`, () => this.moved(move.move),
        { class: move.move === found.best ? 'primary' : '', dataset: { move: move.move } },
      ))),
      h('p', { class: 'bag faint' }, `${t('speak.next', { hint: hintWords(extra) })} ${t('next.bag', { a, b, c })}`));
    announce(best);
  }

  footer() {
    return h('div', { class: 'row' },
      button(t('undo'), () => this.think(this.past.pop()), { disabled: this.past.length === 0 }),
      button(t('game.new'), () => this.setUp()));
  }

  async moved(direction) {
    this.panel.replaceChildren(h('p', { class: 'faint' }, t('busy.move')));
    this.arrows.show();
    let found;
    try {
      found = await backend.outcomes({ game: this.game.name, position: this.position, move: direction });
    } catch (error) {
      this.fail(error);
      this.think(this.position);
      return;
    }
    const { cells } = parsePosition(this.position);
    this.board.show(slide(this.game, cells, direction).cells);
    this.ask(found.outcomes);
  }

  /** Asks until one outcome is left. */
  ask(outcomes) {
    const differ = (key) => [...new Set(outcomes.map((one) => one[key]))];
    const keep = (key, value) => this.ask(outcomes.filter((one) => one[key] === value));
    this.slots.replaceChildren();
    const cells = differ('cell');
    const tiles = differ('tile');
    const hints = differ('hint');
    const back = button(t('back'), () => this.think(this.position));
    if (cells.length > 1) {
      this.choices(tiles.length === 1 ? t('assistant.where', { tile: tiles[0] }) : t('assistant.where.any'), 'where', cells.map((cell) => [cellWords(this.game, cell), () => keep('cell', cell)]), back);
      this.markSlots(cells, (cell) => keep('cell', cell));
    } else if (tiles.length > 1) {
      this.choices(t('assistant.tile'), 'tile', tiles.map((tile) => [String(tile), () => keep('tile', tile)]), back);
    } else if (hints.length > 1) {
      this.choices(t('assistant.hint'), 'hint', hints.map((hint) => [hintWords({ hint }), () => keep('hint', hint), hint]), back);
    } else {
      this.past.push(this.position);
      this.think(outcomes[0].position);
    }
  }

  choices(question, kind, list, back) {
    this.panel.replaceChildren(h('p', { class: 'question', dataset: { kind } }, question),
      h('div', { class: 'choices' }, ...list.map(([text, does, rank]) => button(text, does, rank ? { class: 'chip-button', dataset: { rank } } : {})), back));
  }

  /** The cells on the board itself can be tapped. */
  markSlots(cells, choose) {
    const { cols } = this.game;
    this.slots.append(...cells.map((cell) => {
      const slot = button('?', () => choose(cell), { class: 'slot', tabindex: '-1', 'aria-hidden': 'true' });
      slot.style.setProperty('--r', Math.floor(cell / cols));
      slot.style.setProperty('--c', cell % cols);
      return slot;
    }));
  }
}
