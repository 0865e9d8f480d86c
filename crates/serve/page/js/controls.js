// Who plays, how far they look ahead, how fast: chosen once, kept for the next visit.

import { backend } from './api.js';
import { SPEEDS } from './autoplay.js';
import { byId, kept, option } from './dom.js';
import { depthWords, playerWords, t } from './words.js';

const MODEL = 'player';
const DEPTH = 'depth';
const SPEED = 'speed';

/** How far players look ahead on a board of this size: three moves where that takes milliseconds. */
export const usualDepth = ({ rows, cols }) => (rows * cols <= 20 ? 3 : rows * cols <= 36 ? 2 : 1);

export class Controls {
  /** `onchange()` is called when another player or depth is chosen. */
  constructor(game, onchange) {
    this.game = game;
    this.models = [];
    this.answered = new Map(); // who answered for which wish
    this.chosen = kept.read(DEPTH);
    this.model = kept.read(MODEL, '');
    this.fillDepth();
    this.fillModels();
    this.refresh();
    byId('ply').addEventListener('change', () => {
      this.chosen = byId('ply').value;
      kept.write(DEPTH, this.chosen);
      onchange();
    });
    byId('model').addEventListener('change', () => {
      this.model = byId('model').value;
      kept.write(MODEL, this.model);
      this.fillDepth();
      onchange();
    });
    byId('speed').value = String(kept.read(SPEED, 6));
  }

  async refresh() {
    try {
      this.models = await backend.models();
    } catch { /* the banner says that nobody answers */ }
    this.fillModels();
    this.fillDepth();
  }

  setGame(game) {
    if (game.name === this.game.name) return;
    this.game = game;
    this.fillModels();
    this.fillDepth();
  }

  /** Chooses a player that the address asks for. */
  choose(model) {
    this.model = model;
    this.fillModels();
    this.fillDepth();
  }

  fillModels() {
    const family = (game) => game.split('-')[0];
    // The built-in model of the game is who plays where nobody is chosen, unless the server was given another.
    const own = `builtin:${this.game.name}`;
    const usual = this.answered.get(this.wish('')) ?? own;
    const fits = ({ id, game, kind }) => {
      if (kind === 'run') return false;
      return kind === 'builtin' ? id === own && id !== usual : !game || family(game) === family(this.game.family.name);
    };
    const names = this.models.filter(fits).map(({ id }) => id);
    if (this.model && !names.includes(this.model) && (this.models.length === 0 || this.model.startsWith('run:'))) names.unshift(this.model);
    const known = this.answered.get(this.wish(''));
    const best = known ? t('player.best.named', { player: playerWords(known) }) : t('player.best');
    byId('model').replaceChildren(option('', best), ...names.map((name) => option(name, playerWords(name))));
    byId('model').value = names.includes(this.model) ? this.model : '';
  }

  fillDepth() {
    const model = this.models.find(({ id }) => id === this.model);
    const only = model && !model.searches;
    const usual = usualDepth(this.game);
    const depths = only ? [1] : [1, 2, 3, 4, 5];
    byId('ply').replaceChildren(
      ...depths.map((n) => option(`ply ${n}`, n === usual ? t('depth.usual', { depth: depthWords(n) }) : depthWords(n))),
      ...(only ? [] : [20, 100, 1000].map((ms) => option(`time ${ms}`, t('depth.time', { ms })))),
    );
    byId('ply').value = only ? 'ply 1' : this.chosen ?? `ply ${usual}`;
    if (!byId('ply').value) byId('ply').value = `ply ${usual}`;
  }

  /** Nobody chose a depth. */
  get usual() { return this.chosen === null || this.chosen === undefined || this.chosen === `ply ${usualDepth(this.game)}`; }

  wish(model = byId('model').value) { return `${this.game.name}|${model}`; }

  /** What requests say about depth and player. */
  effort() {
    const [kind, value] = byId('ply').value.split(' ');
    const model = byId('model').value || undefined;
    return kind === 'time' ? { time_ms: Number(value), model } : { ply: Number(value), model };
  }

  /** How many moves the player looks ahead; what has a time is taken for the usual. */
  get ply() { return this.effort().ply ?? usualDepth(this.game) + 1; }

  /** Remembers who answered: the list can name them, and the next wait is no longer for loading. */
  heard(model) {
    const wish = this.wish();
    if (!model || this.answered.get(wish) === model) return;
    this.answered.set(wish, model);
    this.fillModels();
  }

  /** What a wait is for. */
  get waiting() {
    return this.answered.has(this.wish()) ? t('busy.thinking') : t('busy.loading', { game: this.game.name });
  }

  /** Moves a second. */
  get speed() {
    const place = Number(byId('speed').value);
    kept.write(SPEED, place);
    const rate = SPEEDS[place];
    const words = rate === 1 ? t('speed.one') : t('speed.many', { rate });
    byId('speed-text').textContent = words;
    byId('speed').setAttribute('aria-valuetext', words);
    return rate;
  }
}
