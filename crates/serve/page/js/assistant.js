// The Threes assistant: you play elsewhere, it says what to do. It counts the bag and knows where tiles slide,
// so it asks only for what chance decided: the cell, the bonus tile, the next tile. Each answer narrows the
// server's list of outcomes; a question with one answer is not asked.

import { post } from './api.js';
import { Board } from './board.js';
import { announce, h, number, toast } from './dom.js';
import { Painter } from './editor.js';
import { ARROWS, FAMILIES, gameName, hintText, parseGame, parsePosition, slide } from './rules.js';

export class Assistant {
  constructor(place) {
    this.place = place;
    this.game = parseGame('threes-app');
    this.past = [];
    this.boardPlace = h('div');
    this.slots = h('div', { class: 'slots' });
    this.stage = h('div', { class: 'stage' });
    this.panel = h('section', { class: 'panel', 'aria-live': 'polite' });
    this.place.append(this.stage, h('div', { class: 'panels' }, this.panel));
    this.board = new Board(this.boardPlace);
    this.setUp();
  }

  // -- the start -------------------------------------------------------------------------------

  setUp() {
    const size = this.game.rows * this.game.cols;
    const painter = new Painter(this.game, new Array(size).fill(0));
    const family = h('select', { onchange: () => this.restart(family.value) }, ...FAMILIES.filter((one) => one.threes)
      .map((one) => h('option', { value: one.name, selected: one.name === this.game.family.name }, one.title)));
    const hint = h('input', { value: '1', size: '8' });
    const bag = h('output', {}, '');
    const count = () => { bag.textContent = this.countedBag(painter.cells, hint.value) ?? 'not the start of a game: a full bag is assumed'; };
    painter.onchange = count;
    hint.addEventListener('input', count);
    count();
    const begin = async (event) => {
      event.preventDefault();
      painter.extra = { bag: this.countedBag(painter.cells, hint.value), hint: hint.value.replace(/\s/g, '') };
      try {
        const found = await post('position', { game: this.game.name, position: painter.position });
        this.past = [];
        this.think(found.position);
      } catch (error) {
        toast(error.message, 'error');
      }
    };
    this.stage.replaceChildren(h('form', { onsubmit: begin },
      h('label', {}, 'Rules ', family), painter.element,
      h('div', { class: 'row' },
        h('label', {}, 'Next tile ', hint),
        h('button', { type: 'submit', class: 'primary' }, 'Start helping'),
        h('button', { type: 'button', onclick: () => this.example() }, 'Try an example'))));
    this.panel.replaceChildren(
      h('h2', {}, 'Threes assistant'),
      h('p', {}, 'Play Threes on your phone; enter the first board and the next tile once. After that it is one tap for the move you made, one for where the tile came in, one for the next tile.'),
      h('p', { class: 'bag' }, h('strong', {}, 'Bag '), bag));
  }

  restart(family) {
    this.game = parseGame(gameName(family, 4, 4));
    this.setUp();
  }

  async example() {
    try {
      const found = await post('game', { game: this.game.name });
      this.past = [];
      this.think(found.position);
    } catch (error) {
      toast(error.message, 'error');
    }
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
    const { cells, extra } = parsePosition(position);
    this.board.setGame(this.game);
    this.board.show(cells);
    this.slots.replaceChildren();
    this.stage.replaceChildren(h('div', { class: 'frame' }, this.boardPlace, this.slots), this.footer());
    this.panel.replaceChildren(h('h2', {}, 'Thinking …'));
    let found;
    try {
      found = await post('analyze', { game: this.game.name, position, ply: 3 });
    } catch (error) {
      toast(error.message, 'error');
      return;
    }
    if (this.position !== position) return;
    if (!found.best) {
      this.panel.replaceChildren(h('h2', {}, 'No move is left'), h('p', {}, 'The game is over.'));
      announce('The game is over');
      return;
    }
    const [a, b, c] = (extra.bag ?? '').split(',');
    this.panel.replaceChildren(
      h('p', { class: 'question' }, `Best: ${found.best} ${ARROWS[found.best]}`),
      h('p', {}, 'Which way did you slide?'),
      h('div', { class: 'choices' }, ...found.moves.filter((move) => move.legal).map((move) => h('button', {
        type: 'button', class: move.move === found.best ? 'primary' : '', dataset: { move: move.move }, onclick: () => this.moved(move.move),
      }, `${ARROWS[move.move]} ${move.move}${move.loss > 0 ? ` (−${number(move.loss)})` : ''}`))),
      h('p', { class: 'bag faint' }, `Next: ${hintText(extra)}. In the bag: ${a} × 1, ${b} × 2, ${c} × 3.`));
    announce(`Best move: ${found.best}`);
  }

  footer() {
    return h('div', { class: 'row' },
      h('button', { type: 'button', disabled: this.past.length === 0, onclick: () => this.think(this.past.pop()) }, 'Undo'),
      h('button', { type: 'button', onclick: () => this.setUp() }, 'New game'));
  }

  async moved(direction) {
    this.panel.replaceChildren(h('p', { class: 'faint' }, 'One moment …'));
    let found;
    try {
      found = await post('outcomes', { game: this.game.name, position: this.position, move: direction });
    } catch (error) {
      toast(error.message, 'error');
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
    const back = h('button', { type: 'button', onclick: () => this.think(this.position) }, 'Back');
    if (cells.length > 1) {
      this.panel.replaceChildren(
        h('p', { class: 'question' }, `Where did the ${tiles.length === 1 ? tiles[0] : 'new tile'} come in?`),
        h('div', { class: 'choices' }, ...cells.map((cell) => h('button', { type: 'button', onclick: () => keep('cell', cell) }, this.cellName(cell))), back));
      this.markSlots(cells, (cell) => keep('cell', cell));
    } else if (tiles.length > 1) {
      this.choices('Which tile was it?', tiles.map((tile) => [String(tile), () => keep('tile', tile)]), back);
    } else if (hints.length > 1) {
      this.choices('Which tile is next?', hints.map((hint) => [hintText({ hint }), () => keep('hint', hint)]), back);
    } else {
      this.past.push(this.position);
      this.think(outcomes[0].position);
    }
  }

  choices(question, list, back) {
    this.panel.replaceChildren(h('p', { class: 'question' }, question),
      h('div', { class: 'choices' }, ...list.map(([text, does]) => h('button', { type: 'button', onclick: does }, text)), back));
  }

  cellName(cell) {
    return `row ${Math.floor(cell / this.game.cols) + 1}, column ${(cell % this.game.cols) + 1}`;
  }

  /** The cells on the board itself can be tapped. */
  markSlots(cells, choose) {
    const { rows, cols } = this.game;
    this.slots.append(...cells.map((cell) => {
      const button = h('button', { type: 'button', class: 'slot', tabindex: '-1', 'aria-hidden': 'true', onclick: () => choose(cell) }, '?');
      button.style.left = `${((cell % cols) * 100) / cols + 1.5}%`;
      button.style.top = `${(Math.floor(cell / cols) * 100) / rows + 1.5}%`;
      button.style.width = `${100 / cols - 3}%`;
      button.style.height = `${100 / rows - 3}%`;
      return button;
    }));
  }
}

