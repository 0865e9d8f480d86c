// The values of the position on the board. They belong to it or are gone.

import { backend } from './api.js';
import { byId, h, kept } from './dom.js';
import { bars, judgedBy, ofJudged } from './values.js';
import { depthWords, playerWords, t } from './words.js';

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
    if (this.fromAnalysis()) return;
    if (!this.on) this.empty();
    else if (pause) this.empty(t('values.pause'));
    else this.ask();
  }

  /** Where the analysis has judged the move made from here, its values are shown: they look further ahead. */
  fromAnalysis() {
    const { session, analysis } = this.host;
    const judged = session.browsing && !this.host.autoplay.running && session.next?.judged;
    if (!judged || judged.value === null || !analysis) return false;
    byId('bars').replaceChildren(...bars(ofJudged(judged), { played: session.next.move, onmove: (direction) => this.host.move(direction) }));
    byId('judged-by').textContent = t('values.judged', { player: playerWords(analysis.by ?? ''), depth: depthWords(analysis.ply ?? 1) });
    return true;
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
