// The values of the position on the board. They belong to it or are gone.

import { backend } from './api.js';
import { byId, h, kept } from './dom.js';
import { bars, judgedBy } from './values.js';
import { t } from './words.js';

/** The AI at more than this many moves a second leaves no time to read values. */
const READABLE = 5;

export class Look {
  /** `host` has a session, controls, an autoplay and a status; `move(direction)` makes a move. */
  constructor(host) {
    this.host = host;
    byId('values-on').checked = kept.read('values', false);
    byId('values-on').addEventListener('change', () => this.switched());
    this.empty();
  }

  get on() { return byId('values-on').checked; }

  toggle() {
    byId('values-on').checked = !this.on;
    this.switched();
  }

  switched() {
    kept.write('values', this.on);
    this.position = null;
    this.changed();
  }

  /** The board may show another position: what is known about the one before goes. */
  changed() {
    const { position } = this.host.session;
    const { running, rate } = this.host.autoplay;
    const pause = this.on && running && rate > READABLE;
    if (position === this.position && pause === this.paused) return;
    this.asked?.abort();
    this.position = position;
    const went = pause && this.paused;
    this.paused = pause;
    if (went) return;
    if (!this.on) this.empty();
    else if (pause) this.empty(t('values.pause'));
    else this.ask();
  }

  empty(text = t('values.empty')) {
    byId('bars').replaceChildren(h('p', { class: 'faint' }, text));
    byId('judged-by').textContent = '';
  }

  /** Asks what the moves are worth; the answer is shown, and given back. */
  async ask(force = false) {
    const { session, controls, status } = this.host;
    this.asked?.abort();
    if (!this.on && !force) { this.empty(); return null; }
    const asked = new AbortController();
    this.asked = asked;
    const { position } = session;
    this.position = position;
    byId('bars').replaceChildren(h('p', { class: 'faint' }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), ` ${controls.waiting}`));
    byId('judged-by').textContent = '';
    const done = force ? status.busy(controls.waiting) : () => {};
    try {
      const found = await backend.analyze({ ...session.rules, position, ...controls.effort() }, asked.signal);
      if (session.position !== position || asked.signal.aborted) return null;
      controls.heard(found.model);
      byId('bars').replaceChildren(...bars(found, { onmove: (direction) => this.host.move(direction) }));
      byId('judged-by').textContent = judgedBy(found);
      return found;
    } catch (error) {
      if (!asked.signal.aborted) {
        this.empty(error.lost ? t('values.lost') : error.message);
        this.host.fail(error);
      }
      return null;
    } finally {
      done();
    }
  }
}
