// The board editor: pick a tile, put it on cells; or type the position. The server says what cannot be.

import { backend } from './api.js';
import { byId, button, h } from './dom.js';
import { formatPosition, label, parsePosition } from './rules.js';
import { cellWords, t } from './words.js';

/** Cells as buttons, a palette of tiles, and for Threes bag and hint: used by the dialog and the assistant. */
export class Painter {
  constructor(game, cells, extra = {}) {
    this.game = game;
    this.cells = [...cells];
    this.extra = { ...extra };
    this.rank = 1;
    this.onchange = () => {};
    const most = game.family.threes ? 15 : 17;
    this.palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': t('editor.tile') },
      ...Array.from({ length: most + 1 }, (_, rank) => this.tile(rank)));
    this.grid = h('div', { class: 'edit-grid', role: 'group', 'aria-label': t('board') });
    this.grid.style.setProperty('--cols', game.cols);
    this.buttons = this.cells.map((_, cell) => button('', () => this.put(cell), { class: 'swatch', onkeydown: (event) => this.walk(event, cell) }));
    this.grid.append(...this.buttons);
    this.element = h('div', { dataset: { kind: game.family.threes ? 'threes' : '2048' } }, this.palette, this.grid);
    this.paint();
  }

  tile(rank) {
    const text = rank === 0 ? t('editor.empty') : String(label(this.game, rank));
    return button(text, () => { this.rank = rank; this.paint(); }, { class: 'swatch', role: 'radio', 'aria-checked': String(rank === this.rank), dataset: { rank } });
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
    for (const one of this.palette.children) one.setAttribute('aria-checked', String(Number(one.dataset.rank) === this.rank));
    for (const [cell, one] of this.buttons.entries()) {
      const rank = this.cells[cell];
      one.dataset.rank = rank;
      one.textContent = rank ? String(label(this.game, rank)) : '';
      one.setAttribute('aria-label', `${cellWords(this.game, cell)}: ${rank ? label(this.game, rank) : t('editor.empty')}`);
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
    const { game, now, rules } = this.host.session;
    const { bag, hint, bonus } = now.extra;
    this.painter = new Painter(game, now.cells, { bag, hint, bonus });
    const text = h('input', { type: 'text', value: this.painter.position, spellcheck: 'false', autocomplete: 'off' });
    const error = h('p', { class: 'error', role: 'alert' });
    const fromPainter = () => { text.value = this.painter.position; error.textContent = ''; };
    this.painter.onchange = fromPainter;
    const extras = [];
    if (game.family.threes) {
      for (const [key, title, example] of [['hint', 'editor.hint', '1'], ['bag', 'editor.bag', '4,4,4']]) {
        extras.push(h('label', { class: 'block' }, t(title), h('input', {
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
        const found = await backend.position({ ...rules, position: text.value });
        this.dialog.close();
        this.host.games.use(found, game.variant);
      } catch (problem) {
        error.textContent = problem.lost ? t('values.lost') : problem.message;
      }
    };
    this.dialog.replaceChildren(h('form', { onsubmit: use },
      h('h2', { id: 'editor-title' }, t('editor.title')),
      h('p', { class: 'faint' }, t('editor.about')),
      this.painter.element, ...extras,
      h('label', { class: 'block' }, t('editor.text'), text), error,
      h('div', { class: 'row' },
        h('button', { type: 'submit', class: 'primary' }, t('editor.use')),
        button(t('editor.clear'), () => { this.painter.cells.fill(0); this.painter.paint(); fromPainter(); }),
        button(t('cancel'), () => this.dialog.close()))));
    this.dialog.showModal();
  }
}
