// Which game to play: a few that are played most, or any family, board and variant.

import { byId, button, h, option } from './dom.js';
import { FAMILIES, gameKey, gameName, parseGame } from './rules.js';
import { familyWords, gameWords, t } from './words.js';

const OFTEN = ['2048', '2048-3x3', '2048-4x3', '2048-5x5', '1024', 'threes-app', 'threes'];

export class Chooser {
  constructor(host) {
    this.host = host;
    this.dialog = byId('chooser');
  }

  open() {
    const { game } = this.host.session;
    const choose = (name, variant) => { this.dialog.close(); this.host.games.newGame(name, variant); };
    const often = h('div', { class: 'row often' }, ...OFTEN.map((name) => button(gameWords(parseGame(name)), () => choose(name), { 'aria-pressed': String(gameKey(game) === name) })));
    const family = h('select', { id: 'family' }, ...FAMILIES.map((one) => option(one.name, familyWords(one.name), one.name === game.family.name)));
    const side = (id, chosen, label) => h('select', { id, 'aria-label': label }, ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => option(String(n), String(n), n === chosen)));
    const rows = side('rows', game.rows, t('game.rows'));
    const cols = side('cols', game.cols, t('game.columns'));
    const field = (id, key, value, attributes) => h('label', { class: 'block' }, t(key), h('input', { id, value: value ?? '', autocomplete: 'off', ...attributes }));
    const spawn = field('spawn', 'variant.spawn', game.variant?.spawn, { placeholder: '2:.9,4:.1' });
    const tiles = field('start-tiles', 'variant.start', game.variant?.start_tiles, { inputmode: 'numeric', placeholder: '2' });
    const cap = field('merge-cap', 'variant.cap', game.variant?.merge_cap, { inputmode: 'numeric', placeholder: t('variant.cap.none') });
    const variant = h('details', { open: Boolean(game.variant) }, h('summary', {}, t('variant.title')), h('p', { class: 'faint' }, t('variant.about')), spawn, tiles, cap);
    const rules = () => { variant.hidden = FAMILIES.find((one) => one.name === family.value).threes; };
    family.addEventListener('change', rules);
    rules();
    const value = (label) => label.querySelector('input').value.trim();
    const start = (event) => {
      event.preventDefault();
      const told = variant.hidden ? {} : { spawn: value(spawn) || undefined, start_tiles: Number(value(tiles)) || undefined, merge_cap: Number(value(cap)) || undefined };
      choose(gameName(family.value, Number(rows.value), Number(cols.value)), told);
    };
    this.dialog.replaceChildren(
      h('h2', { id: 'chooser-title' }, t('game.choose')), often,
      h('form', { onsubmit: start },
        h('div', { class: 'row' }, h('label', {}, t('game.family'), family), h('span', { class: 'size' }, h('label', {}, t('game.board'), rows), '×', cols)),
        variant,
        h('p', { class: 'faint' }, t('game.kept')),
        h('div', { class: 'row' },
          h('button', { type: 'submit', class: 'primary', id: 'start' }, t('game.start')),
          button(t('cancel'), () => this.dialog.close()))));
    this.dialog.showModal();
  }
}
