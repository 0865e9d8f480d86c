// The board editor: pick a tile, put it on cells; or type the position. The server says what cannot be.

import { post } from './api.js';
import { byId, h } from './dom.js';
import { formatPosition, label, parsePosition } from './rules.js';

/** Cells as buttons, a palette of tiles, and for Threes bag and hint: used by the dialog and the assistant. */
export class Painter {
  constructor(game, cells, extra = {}) {
    this.game = game;
    this.cells = [...cells];
    this.extra = { ...extra };
    this.rank = 1;
    this.onchange = () => {};
    const most = game.family.threes ? 15 : 17;
    this.palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': 'Tile to put' },
      ...Array.from({ length: most + 1 }, (_, rank) => this.tile(rank)));
    this.grid = h('div', { class: 'edit-grid', role: 'group', 'aria-label': 'Board' });
    this.grid.style.setProperty('--cols', game.cols);
    this.buttons = this.cells.map((_, cell) => h('button', {
      type: 'button', class: 'swatch', onclick: () => this.put(cell), onkeydown: (event) => this.walk(event, cell),
    }));
    this.grid.append(...this.buttons);
    this.element = h('div', { dataset: { kind: game.family.threes ? 'threes' : '2048' } }, this.palette, this.grid);
    this.paint();
  }

  tile(rank) {
    const text = rank === 0 ? 'empty' : String(label(this.game, rank));
    return h('button', {
      type: 'button', class: 'swatch', role: 'radio', 'aria-checked': String(rank === this.rank), dataset: { rank },
      onclick: () => { this.rank = rank; this.paint(); },
    }, text);
  }

  put(cell) {
    // The same tile again takes it away.
    this.cells[cell] = this.cells[cell] === this.rank ? 0 : this.rank;
    this.paint();
    this.onchange();
  }

  /** Arrow keys walk over the cells. */
  walk(event, cell) {
    const steps = { ArrowUp: -this.game.cols, ArrowDown: this.game.cols, ArrowLeft: -1, ArrowRight: 1 };
    if (event.key === 'Delete' || event.key === 'Backspace') {
      this.cells[cell] = 0;
      this.paint();
      this.onchange();
    } else if (steps[event.key]) {
      event.preventDefault();
      this.buttons[cell + steps[event.key]]?.focus();
    }
  }

  paint() {
    for (const button of this.palette.children) button.setAttribute('aria-checked', String(Number(button.dataset.rank) === this.rank));
    for (const [cell, button] of this.buttons.entries()) {
      const rank = this.cells[cell];
      button.dataset.rank = rank;
      button.textContent = rank ? String(label(this.game, rank)) : '';
      button.setAttribute('aria-label', `Row ${Math.floor(cell / this.game.cols) + 1}, column ${(cell % this.game.cols) + 1}: ${rank ? label(this.game, rank) : 'empty'}`);
    }
  }

  get position() { return formatPosition(this.game, this.cells, this.extra); }
}

export class Editor {
  constructor(host) {
    this.host = host;
    this.dialog = byId('editor');
  }

  open() {
    this.host.autoplay.stop();
    const { game, now } = this.host.session;
    const { bag, hint, bonus } = now.extra;
    this.painter = new Painter(game, now.cells, { bag, hint, bonus });
    const text = h('input', { type: 'text', value: this.painter.position, spellcheck: 'false', autocomplete: 'off' });
    const error = h('p', { class: 'error', role: 'alert' });
    const fromPainter = () => { text.value = this.painter.position; error.textContent = ''; };
    this.painter.onchange = fromPainter;
    const extras = [];
    if (game.family.threes) {
      for (const [key, title, example] of [['hint', 'Next tile (1, 2, 3, + or 6,12,24)', '1'], ['bag', 'Left in the bag: 1s, 2s, 3s', '4,4,4']]) {
        extras.push(h('label', { class: 'block' }, title, h('input', {
          value: this.painter.extra[key] ?? example,
          oninput: (event) => { this.painter.extra[key] = event.target.value.replace(/\s/g, ''); fromPainter(); },
        })));
      }
    }
    text.addEventListener('input', () => {
      const { cells, extra } = parsePosition(text.value);
      if (cells.length !== this.painter.cells.length) return;
      this.painter.cells = cells;
      this.painter.extra = extra;
      this.painter.paint();
    });
    const use = async (event) => {
      event.preventDefault();
      try {
        const found = await post('position', { game: game.name, variant: game.variant, position: text.value });
        this.dialog.close();
        this.host.use(found);
      } catch (problem) {
        error.textContent = problem.message;
      }
    };
    this.dialog.replaceChildren(h('form', { onsubmit: use },
      h('h2', { id: 'editor-title' }, 'Edit the board'),
      h('p', { class: 'faint' }, 'Choose a tile, then the cells it goes to. The same tile again empties a cell.'),
      this.painter.element, ...extras,
      h('label', { class: 'block' }, 'Position as text (ranks, tile values, 0x…)', text), error,
      h('div', { class: 'row' },
        h('button', { type: 'submit', class: 'primary' }, 'Use this position'),
        h('button', { type: 'button', onclick: () => { this.painter.cells.fill(0); this.painter.paint(); fromPainter(); } }, 'Clear'),
        h('button', { type: 'button', onclick: () => this.dialog.close() }, 'Cancel'))));
    this.dialog.showModal();
  }
}
