// The games kept in this browser, to go on with or to look at.

import { byId, button, h, number, toast } from './dom.js';
import { listGames, removeGame } from './library.js';
import { parseGame } from './rules.js';
import { ago, gameWords, t } from './words.js';

export class Recent {
  constructor(host) {
    this.host = host;
    this.dialog = byId('recent-games');
  }

  open() {
    this.host.games.keep();
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
  }

  draw() {
    const games = listGames();
    const items = games.map((game) => h('li', { class: 'kept' },
      button('', () => { this.dialog.close(); this.host.games.openKept(game.id); }, { class: 'kept-open', 'aria-current': String(game.id === this.host.session.id) }),
      button('×', () => { removeGame(game.id); this.draw(); toast(t('recent.removed')); }, { class: 'quiet', 'aria-label': t('recent.remove'), title: t('recent.remove'), disabled: game.id === this.host.session.id })));
    for (const [i, item] of items.entries()) {
      const game = games[i];
      item.firstChild.append(
        h('strong', {}, t('recent.score', { score: number(game.score), largest: number(game.largest) })),
        h('span', { class: 'faint' }, [gameWords(parseGame(game.game, game.variant)), t(game.over ? 'recent.ended' : 'recent.moves', { moves: number(game.moves) }), t(`recent.by.${game.by}`), ago(game.when),
          game.variations ? t('recent.variations', { count: number(game.variations) }) : ''].filter(Boolean).join(' · ')));
    }
    this.dialog.replaceChildren(
      h('h2', { id: 'recent-title' }, t('recent.title')),
      h('p', { class: 'faint' }, t(games.length ? 'recent.about' : 'recent.none')),
      h('ul', { class: 'kept-list' }, ...items),
      h('div', { class: 'row' }, button(t('close'), () => this.dialog.close())));
  }
}
