// A board of tiles that slide. Fast play shows positions without sliding; the elements are reused.

import { h } from './dom.js';
import { label, slide } from './rules.js';
import { t } from './words.js';

const SLIDE_MS = 100;

export class Board {
  /** `element` gets the tiles; a table in it, for screen readers only, says the same. */
  constructor(element) {
    this.element = element;
    this.element.classList.add('board');
    this.grid = h('div', { class: 'grid', 'aria-hidden': 'true' });
    this.layer = h('div', { class: 'tiles', 'aria-hidden': 'true' });
    this.table = h('table', { class: 'visually-hidden' });
    this.element.append(this.grid, this.layer, this.table);
    this.tiles = [];
    this.shape = '';
    this.timer = 0;
    this.tableTimer = 0;
  }

  /** Prepares cells for a game. */
  setGame(game) {
    this.game = game;
    const kind = game.family.threes ? 'threes' : '2048';
    const shape = `${game.rows}x${game.cols}${kind}`;
    if (shape === this.shape) return;
    this.shape = shape;
    this.element.dataset.kind = kind;
    // The frame is as wide as the board.
    for (const { style } of [this.element, this.element.parentElement ?? this.element]) {
      style.setProperty('--rows', game.rows);
      style.setProperty('--cols', game.cols);
    }
    this.grid.replaceChildren(...Array.from({ length: game.rows * game.cols }, () => h('div', { class: 'cell' })));
    this.layer.replaceChildren();
    this.tiles = [];
  }

  place(tile, cell) {
    tile.cell = cell;
    tile.element.style.setProperty('--r', Math.floor(cell / this.game.cols));
    tile.element.style.setProperty('--c', cell % this.game.cols);
  }

  paint(tile, rank) {
    tile.rank = rank;
    const text = String(label(this.game, rank));
    tile.inner.textContent = text;
    tile.element.dataset.rank = Math.min(rank, 20);
    tile.element.dataset.length = Math.min(text.length, 7);
  }

  make(rank, cell, look = '') {
    const inner = h('div', { class: 'face' });
    const tile = { element: h('div', { class: `tile ${look}` }, inner), inner };
    this.paint(tile, rank);
    this.place(tile, cell);
    this.layer.append(tile.element);
    return tile;
  }

  /** Shows cells at once. */
  show(cells) {
    this.settle();
    const old = new Map(this.tiles.map((tile) => [tile.cell, tile]));
    const kept = [];
    for (const [cell, rank] of cells.entries()) {
      if (rank === 0) continue;
      let tile = old.get(cell);
      if (tile) {
        old.delete(cell);
        if (tile.rank !== rank) this.paint(tile, rank);
        if (tile.element.className !== 'tile') tile.element.className = 'tile';
      } else {
        tile = this.make(rank, cell);
      }
      kept.push(tile);
    }
    for (const tile of old.values()) tile.element.remove();
    this.tiles = kept;
    this.describe(cells);
  }

  /** Slides from `before` in a direction, then shows `cells` with the new tile. */
  move(before, direction, cells, spawn) {
    this.show(before);
    const { paths } = slide(this.game, before, direction);
    const byCell = new Map(this.tiles.map((tile) => [tile.cell, tile]));
    this.layer.classList.add('sliding');
    for (const { from, to, merged } of paths) {
      const tile = byCell.get(from);
      if (!tile) continue;
      tile.merged = merged;
      this.place(tile, to);
    }
    this.entering = this.game.family.threes && spawn ? this.enter(direction, spawn) : null;
    this.pending = { cells, spawn };
    this.timer = setTimeout(() => this.settle(true), SLIDE_MS);
    this.describe(cells);
  }

  /** A tile of Threes comes in from the edge behind the slide. */
  enter(direction, [cell, rank]) {
    const tile = this.make(rank, cell, 'outside');
    tile.element.style.setProperty('--dr', { up: 1, down: -1 }[direction] ?? 0);
    tile.element.style.setProperty('--dc', { left: 1, right: -1 }[direction] ?? 0);
    tile.element.getBoundingClientRect(); // the browser must have seen it outside
    tile.element.classList.remove('outside');
    return tile;
  }

  /** Ends a slide: merged tiles become one, the new tile appears. */
  settle(lively = false) {
    clearTimeout(this.timer);
    if (!this.pending) return;
    const { cells, spawn } = this.pending;
    this.pending = null;
    this.layer.classList.remove('sliding');
    const grown = new Set(this.tiles.filter((tile) => tile.merged).map((tile) => tile.cell));
    const [first, rest] = [new Map(), []];
    for (const tile of this.entering ? [...this.tiles, this.entering] : this.tiles) {
      tile.merged = false;
      if (first.has(tile.cell)) rest.push(tile);
      else first.set(tile.cell, tile);
    }
    for (const tile of rest) tile.element.remove();
    this.tiles = [...first.values()];
    this.entering = null;
    const born = spawn ? spawn[0] : -1;
    const known = new Set(this.tiles.map((tile) => tile.cell));
    this.show(cells);
    if (!lively) return;
    for (const tile of this.tiles) {
      if (grown.has(tile.cell)) tile.element.classList.add('grown');
      else if (tile.cell === born && !known.has(born)) tile.element.classList.add('born');
    }
  }

  /** Fills the table that screen readers find, not more often than anybody could listen. */
  describe(cells) {
    this.described = cells;
    if (this.tableTimer) return;
    this.tableTimer = setTimeout(() => {
      this.tableTimer = 0;
      const { rows, cols } = this.game;
      const row = (r) => h('tr', {}, ...Array.from({ length: cols }, (_, c) => {
        const rank = this.described[r * cols + c];
        return h('td', {}, rank ? String(label(this.game, rank)) : t('editor.empty'));
      }));
      this.table.replaceChildren(h('caption', {}, t('board')), h('tbody', {}, ...Array.from({ length: rows }, (_, r) => row(r))));
    }, 250);
  }
}
