// The line below the board: what is going on, and what can be done about it. Nobody waits without knowing for what.

import { byId, h } from './dom.js';
import { t } from './words.js';

/** Waiting shorter than this is not worth a word. */
const PATIENCE = 200;

export class Status {
  constructor(place = byId('status')) {
    this.place = place;
    this.content = [];
    this.waits = new Set();
  }

  /** What stands there while nobody waits. */
  set(...content) {
    this.content = content;
    this.draw();
  }

  /** Says that something is waited for, until the answer is called. */
  busy(text) {
    const wait = { text, since: performance.now() };
    this.waits.add(wait);
    wait.timer = setInterval(() => this.draw(), PATIENCE);
    return () => {
      clearInterval(wait.timer);
      this.waits.delete(wait);
      this.draw();
    };
  }

  draw() {
    const now = performance.now();
    const wait = [...this.waits].find((one) => now - one.since >= PATIENCE);
    this.place.setAttribute('aria-busy', String(Boolean(wait)));
    if (!wait) {
      if (this.shown === this.content) return;
      this.shown = this.content;
      // The focus of a button pressed here goes to the one that takes its place.
      const focused = this.place.contains(document.activeElement) && document.activeElement.id;
      this.place.replaceChildren(...this.content);
      if (focused) byId(focused)?.focus({ preventScroll: true });
      return;
    }
    const seconds = Math.floor((now - wait.since) / 1000);
    this.shown = null;
    this.place.replaceChildren(h('span', { class: 'spinner', 'aria-hidden': 'true' }), h('span', {}, wait.text, seconds >= 2 ? ` ${t('busy.seconds', { seconds })}` : ''));
  }
}
