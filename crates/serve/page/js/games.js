// Games come and go: new ones, kept ones, those of links and imports. The one before can always come back.

import { backend } from './api.js';
import { toast } from './dom.js';
import { currentGame, openGame, recover, saveGame } from './library.js';
import { Session } from './session.js';
import { readAddress, unpackTree } from './share.js';
import { t } from './words.js';

/** How long a change may wait before it is kept: a move of a person, and those of the AI. */
const SAVE_MS = 150;
const SAVE_AI_MS = 700;
/** How many games before this one can come back by undo. */
const PAST = 10;

export class Games {
  /** `host` has a session, an autoplay, controls, a status, and `fail(error)`. */
  constructor(host) {
    this.host = host;
    this.session = host.session;
    this.past = []; // games before this one
    window.addEventListener('pagehide', () => this.keep());
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.keep(); });
  }

  /** Remembers the game on the board before another takes its place. */
  putAway() {
    this.host.autoplay.stop();
    if (this.session.length === 0 && this.session.variations.length === 0) return;
    this.keep();
    this.past.push(this.session.snapshot);
    this.past = this.past.slice(-PAST);
  }

  /** The game before this one comes back. */
  comeBack() {
    const before = this.past.pop();
    if (!before) return false;
    this.host.autoplay.stop();
    this.keep();
    this.session.restore(before);
    this.name();
    toast(t('game.back'));
    return true;
  }

  /** Starts another game on the board. `fill(session)` says which. */
  async replace(fill, words, action = this.session.length > 0) {
    const done = this.host.status.busy(t('busy.opening'));
    const fresh = new Session();
    try {
      await fill(fresh);
    } catch (error) {
      this.host.fail(error, words);
      return false;
    } finally {
      done();
    }
    this.putAway();
    this.session.restore({ ...fresh.snapshot, created: Date.now() });
    this.name();
    if (action && this.past.length) toast(t('game.new.done'), 'info', [t('game.new.undo'), () => this.comeBack()]);
    return true;
  }

  /** The address is that of the game on the board, so that a reload opens no other. A view that was gone to meanwhile keeps its own. */
  name() {
    if (readAddress().view === 'play') window.history.replaceState(null, '', this.session.address ?? '#/play');
  }

  /** A new game: the one named, else the one on the board again. */
  newGame(name, variant = name ? undefined : this.session.game.variant, address = undefined) {
    return this.replace(async (fresh) => {
      const found = await backend.newGame({ game: name ?? this.session.game.name, variant });
      fresh.start(found.game, found.position, found.score, { variant });
      fresh.address = address;
    });
  }

  /** What the address asks for; without a wish, or when the page is loaded again, the game that was under way. */
  async open(address, loaded) {
    if (loaded) await recover();
    const now = currentGame();
    if (address.model !== undefined) this.host.controls.choose(address.model);
    const same = loaded && now?.mine && now.packed.address === address.hash;
    if (now && (same || (!address.position && !address.game && !address.auto))) {
      if (await this.replace((fresh) => openGame(fresh, now, backend.track), undefined, false)) return;
    }
    const { game = '2048', variant, position, lines, shown, at, hash } = address;
    const damaged = (message) => t('link.damaged', { message });
    const opened = position && await this.replace(async (fresh) => {
      if (lines) await unpackTree(fresh, { game, variant, start: position, lines, shown, at, browsing: true, origin: 'link' }, backend.track);
      else this.startAt(fresh, await backend.position({ game, variant, position }), variant);
      fresh.address = hash;
    }, damaged, false);
    // A link that does not work leaves what is on the board.
    if (!position) await this.newGame(game, variant, hash);
    else if (!opened && !this.session.created) await this.newGame('2048', undefined);
  }

  startAt(session, found, variant) {
    session.start(found.game, found.position, found.score, { variant, origin: 'position' });
    session.root.over = found.over;
  }

  openKept(id) {
    return this.replace((fresh) => openGame(fresh, { id }, backend.track), (message) => t('recent.damaged', { message }), false);
  }

  /** Shows games that were read: lines of one game become a tree, other games are kept for later. */
  async load(tracks) {
    const [first, ...rest] = tracks;
    let others = 0;
    for (const track of rest.filter((one) => one.start !== first.start || one.game !== first.game)) {
      const other = new Session();
      this.fillFrom(other, track);
      saveGame(other);
      others += 1;
    }
    await this.replace(async (fresh) => {
      this.fillFrom(fresh, first);
      for (const track of rest.filter((one) => one.start === first.start && one.game === first.game)) this.merge(fresh, track);
      fresh.show(Session.end(fresh.root));
      fresh.browsing = true;
    }, undefined, true);
    return others;
  }

  fillFrom(session, track) {
    session.start(track.game, track.start, track.start_score, { variant: track.variant, origin: 'import' });
    session.append(track);
    session.browsing = true;
  }

  /** Adds another line of the same game: what it has in common stays one. */
  merge(session, track) {
    session.browsing = true;
    session.show(session.root);
    session.at = 0;
    const names = { u: 'up', r: 'right', d: 'down', l: 'left' };
    for (let i = 0; i < track.moves.length; i += 1) {
      const known = session.now.children.find((child) => child.position === track.positions[i] && child.move === names[track.moves[i]]);
      if (known) session.show(known);
      else session.push(names[track.moves[i]], track.positions[i], track.spawns[i], track.rewards[i], { quiet: true });
    }
    session.now.over = track.over;
  }

  /** A typed-in position becomes a new game. */
  use(found, variant) {
    this.replace(async (fresh) => this.startAt(fresh, found, variant));
    if (found.over) toast(t('editor.over'));
  }

  /** Keeps the game in this browser, at once. */
  keep() {
    clearTimeout(this.saving);
    this.saving = 0;
    if (this.session.created) saveGame(this.session);
  }

  keepSoon() {
    this.saving ||= setTimeout(() => this.keep(), this.host.autoplay.running ? SAVE_AI_MS : SAVE_MS);
  }
}
