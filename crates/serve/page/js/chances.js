// The chance of the next large tile, by playing on from here many times: for every move, with its interval.

import { backend } from './api.js';
import { button, h, number, option, percent } from './dom.js';
import { wilson } from './judge.js';
import { ARROWS, DIRECTIONS, label, parsePosition, slide } from './rules.js';
import { t } from './words.js';

const ROUNDS = 200;
const AT_A_TIME = 2;
const BATCH = 1000;

const largest = (position) => Math.max(...parsePosition(position).cells);

/** Plays on once after a move; whether a tile of rank `target` was made. */
async function rollout(rules, position, direction, target, model, signal) {
  let { position: here, over } = await backend.move({ ...rules, position, move: direction });
  while (largest(here) < target && !over) {
    const track = await backend.play({ ...rules, position: here, moves: BATCH, ply: 1, model }, signal);
    if (track.moves.length === 0) break;
    here = track.positions.at(-1);
    over = track.over;
  }
  return largest(here) >= target;
}

export class Chances {
  /** `look()` answers `{game, rules, cells, position, model}` of the position shown. */
  constructor(place, look, onerror) {
    this.look = look;
    this.onerror = onerror;
    this.target = h('select', { 'aria-label': t('chances.tile'), class: 'chance-tile', onchange: () => this.clear() });
    this.start = button(t('chances.start'), () => this.toggle(), { class: 'chance-start' });
    this.rows = h('tbody');
    this.table = h('table', { class: 'chances', hidden: true },
      h('caption', { class: 'visually-hidden' }, t('chances.title')),
      h('thead', {}, h('tr', {}, ...['chances.move', 'chances.chance', 'chances.interval', 'chances.games'].map((key) => h('th', { scope: 'col' }, t(key))))), this.rows);
    this.note = h('p', { class: 'faint' }, t('chances.about'));
    place.append(h('div', { class: 'row' }, h('label', {}, t('chances.reach'), this.target), this.start), this.table, this.note);
  }

  /** The position changed: what was reckoned is gone. */
  clear() {
    this.asked?.abort();
    this.asked = null;
    this.table.hidden = true;
    this.start.textContent = t('chances.start');
    this.note.textContent = t('chances.about');
    const { game, cells, position } = this.look();
    // Tiles that nearly every game reaches are no question: on 4×4 it begins above 1024.
    const top = Math.max(Math.min(10, cells.length - 1), ...cells);
    this.start.disabled = !DIRECTIONS.some((direction) => slide(game, cells, direction).moved);
    const wanted = this.position === position ? Number(this.target.value) : 0;
    this.position = position;
    if (this.shownTop !== `${game.name} ${top}`) {
      this.shownTop = `${game.name} ${top}`;
      this.target.replaceChildren(...[1, 2, 3].map((more) => option(String(top + more), number(label(game, top + more)))));
    }
    if (wanted > top) this.target.value = String(wanted);
  }

  toggle() {
    if (this.asked) {
      this.asked.abort();
      return;
    }
    this.reckon();
  }

  async reckon() {
    const { game, rules, cells, position, model } = this.look();
    const target = Number(this.target.value);
    const asked = new AbortController();
    this.asked = asked;
    this.start.textContent = t('chances.stop');
    const moves = DIRECTIONS.filter((direction) => slide(game, cells, direction).moved);
    const found = Object.fromEntries(moves.map((move) => [move, { hits: 0, tries: 0 }]));
    const jobs = Array.from({ length: ROUNDS }, () => moves).flat();
    this.draw(found);
    const work = async () => {
      for (let move = jobs.shift(); move && !asked.signal.aborted; move = jobs.shift()) {
        const made = await rollout(rules, position, move, target, model, asked.signal);
        if (asked.signal.aborted) return;
        found[move].tries += 1;
        found[move].hits += made;
        this.draw(found);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
    } catch (error) {
      asked.abort();
      if (error.name !== 'AbortError') this.onerror(error);
    }
    if (this.asked !== asked) return;
    this.asked = null;
    this.start.textContent = t('chances.start');
  }

  draw(found) {
    this.table.hidden = false;
    const range = ({ hits, tries }) => wilson(hits, tries);
    // A move stands out where its interval lies above all others: less would be chance.
    const isBest = (one) => Object.values(found).every((other) => other === one || range(other)[1] < range(one)[0]);
    this.rows.replaceChildren(...Object.entries(found).map(([move, one]) => {
      const [low, high] = range(one);
      return h('tr', { class: isBest(one) ? 'best' : '' },
        h('th', { scope: 'row' }, `${ARROWS[move]} ${t(`move.${move}`)}`),
        h('td', {}, one.tries ? percent(one.hits / one.tries) : '…'),
        h('td', {}, one.tries ? `${percent(low)} – ${percent(high)}` : ''),
        h('td', {}, number(one.tries)));
    }));
  }
}
