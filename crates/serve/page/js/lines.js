// The lines of a game: the main one, and the variations beside it.

import { byId, button, h, number, toast } from './dom.js';
import { ARROWS } from './rules.js';
import { Session } from './session.js';
import { t } from './words.js';

export class Lines {
  constructor(host) {
    this.host = host;
    this.session = host.session;
    this.place = byId('lines');
    this.drawn = '';
    this.session.addEventListener('change', () => this.draw());
  }

  draw() {
    const { session } = this;
    const { variations } = session;
    byId('lines-part').hidden = variations.length === 0;
    if (variations.length === 0) { this.place.replaceChildren(); return; }
    const here = session.variation;
    const entry = (current, text, open, ...more) => h('li', { class: 'line' }, button(text, open, { class: 'line-open', 'aria-current': String(current) }), ...more);
    const main = session.root.children[0] ? Session.end(session.root) : session.root;
    this.place.replaceChildren(
      entry(!here, t('lines.main', { moves: number(main.depth), score: number(main.score) }), () => this.backToMain()),
      ...variations.slice(0, 100).map((first) => {
        const end = Session.end(first);
        const text = t('lines.variation', { number: number(first.depth), move: `${ARROWS[first.move]} ${t(`move.${first.move}`)}`, moves: number(end.depth - first.depth + 1), score: number(end.score) });
        return entry(first === here, text, () => { this.host.browsing(); session.visit(first); },
          button('⇧', () => { session.promote(first); toast(t('lines.promoted')); }, { class: 'quiet', 'aria-label': t('lines.promote'), title: t('lines.promote') }),
          button('×', () => this.remove(first), { class: 'quiet', 'aria-label': t('lines.remove'), title: t('lines.remove') }));
      }));
  }

  remove(first) {
    const back = this.session.remove(first);
    toast(t('lines.removed'), 'info', [t('undo'), back]);
  }

  /** To the position of the main line where the variation leaves it. */
  backToMain() {
    const { session } = this;
    let node = session.now;
    for (let one = node; one.parent; one = one.parent) if (one.parent.children[0] !== one) node = one.parent;
    this.host.browsing();
    session.visit(node);
  }
}
