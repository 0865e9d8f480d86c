// The board, its buttons, and the game that is played on it.

import { Analysis } from './analysis.js';
import { backend } from './api.js';
import { Arrows } from './arrows.js';
import { Autoplay } from './autoplay.js';
import { Board } from './board.js';
import { Chances } from './chances.js';
import { Chooser } from './chooser.js';
import { Controls } from './controls.js';
import { announce, button, byId, copy, h, kept, number, toast } from './dom.js';
import { Editor } from './editor.js';
import { Games } from './games.js';
import { givesKeysBack, keys, swipes } from './input.js';
import { bestScore } from './library.js';
import { Lines } from './lines.js';
import { Look } from './look.js';
import { Recent } from './recent.js';
import { Replays } from './replay.js';
import { label, slide } from './rules.js';
import { Session } from './session.js';
import { gameLink, positionLink } from './share.js';
import { Status } from './status.js';
import { cellWords, depthWords, gameWords, hintWords, playerWords, t } from './words.js';

export class Play {
  constructor() {
    this.session = new Session();
    this.status = new Status();
    this.board = new Board(byId('board'));
    this.arrows = new Arrows(byId('frame'));
    this.autoplay = new Autoplay(this);
    this.games = new Games(this);
    this.controls = new Controls(this.session.game, () => this.otherPlayer());
    this.look = new Look(this);
    this.analysis = new Analysis(this);
    this.lines = new Lines(this);
    this.chances = new Chances(byId('chances'), () => this.asked(), (error) => this.fail(error));
    this.editor = new Editor(this);
    this.replays = new Replays(this);
    this.chooser = new Chooser(this);
    this.recent = new Recent(this);
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.listen();
    this.session.addEventListener('change', ({ detail }) => this.show(detail));
  }

  /** Says what went wrong; a server that is gone has a banner of its own. */
  fail(error, words = (message) => message) {
    if (error.name !== 'AbortError' && !error.lost) toast(words(error.message), 'error');
  }

  // -- moves ------------------------------------------------------------------------------------

  /** A slide by a person: chance answers when the server does. */
  move(direction) {
    if (this.autoplay.running) this.toggleAuto();
    if (this.waiting > 3) return;
    this.waiting += 1;
    this.queue = this.queue.then(() => this.slide(direction)).finally(() => { this.waiting -= 1; });
  }

  async slide(direction) {
    const { session } = this;
    const { game, now } = session;
    if (!slide(game, now.cells, direction).moved) return;
    const known = session.known(direction);
    if (known) {
      session.visit(known, 'redo');
      return;
    }
    const done = this.status.busy(t('busy.move'));
    try {
      const found = await backend.move({ ...session.rules, position: now.position, move: direction });
      if (session.now !== now) return;
      const child = session.push(direction, found.position, found.spawn, found.reward, { quiet: true });
      child.over = found.over;
      session.changed('move');
      this.speak(direction, found);
    } catch (error) {
      this.fail(error);
    } finally {
      done();
    }
  }

  speak(direction, found) {
    const { game, now } = this.session;
    const [cell, rank] = found.spawn;
    const hint = hintWords(now.extra);
    announce([
      `${t(`move.${direction}`)}.`, found.reward ? t('speak.points', { points: found.reward }) : '',
      t('speak.tile', { tile: label(game, rank), cell: cellWords(game, cell) }), hint ? t('speak.next', { hint }) : '',
      t('speak.score', { score: number(now.score) }), found.over ? t('speak.over') : '',
    ].filter(Boolean).join(' '));
  }

  undo() {
    const { session } = this;
    this.autoplay.stop();
    if (session.at === 0) {
      if (session.length === 0 && this.games.comeBack()) return;
      return;
    }
    if (session.atEnd && session.origin === 'new') session.browsing = false;
    session.go(session.at - 1, 'undo');
    announce(t('speak.undone', { score: number(session.now.score) }));
  }

  redo() { this.session.go(this.session.at + 1, 'redo'); }

  /** From now on arrow keys browse. */
  browsing() {
    this.autoplay.stop();
    this.session.browsing = true;
  }

  browse(at) {
    this.browsing();
    if (at === this.session.at) this.show('jump');
    else this.session.go(at, at === this.session.at + 1 ? 'redo' : 'jump');
  }

  /** From now on arrow keys slide. */
  playOn() {
    this.session.browsing = false;
    this.show('mode');
    byId('main').focus({ preventScroll: true });
    announce(t('browse.playing'));
  }

  async hint() {
    if (this.autoplay.running) this.toggleAuto();
    const found = await this.look.ask(true);
    if (!found) return;
    if (!found.best) {
      toast(t('values.over'));
      return;
    }
    this.arrows.show(['hint', found.best]);
    announce(t('speak.hint', { move: t(`move.${found.best}`) }));
  }

  toggleAuto() {
    if (this.autoplay.running) {
      this.autoplay.stop();
      this.session.changed('stop');
      return;
    }
    if (this.session.over) this.games.newGame().then((begun) => { if (begun) this.beginAuto(); });
    else this.beginAuto();
  }

  /** Lets the AI play, in a new game where this one is over. */
  watch() {
    if (!this.autoplay.running) this.toggleAuto();
  }

  beginAuto() {
    this.autoplay.start();
    announce(t('speak.ai'));
    this.show('auto');
  }

  otherPlayer() {
    if (this.autoplay.running) { this.autoplay.stop(); this.autoplay.start(); }
    this.chances.clear();
    this.look.ask();
  }

  // -- what the autoplay tells ------------------------------------------------------------------

  onstep(slides) {
    const { session } = this;
    if (slides) this.board.move(session.line[session.at - 1].cells, session.now.move, session.now.cells, session.now.spawn);
    else this.board.show(session.now.cells);
    this.arrows.show();
    this.look.changed();
    this.numbers();
    this.games.keepSoon();
    const now = performance.now();
    if (now - (this.rateShown ?? 0) > 300) {
      this.rateShown = now;
      this.say();
    }
  }

  onend() {
    this.session.changed('end');
    this.games.keep();
    if (!byId('endless').checked) return;
    setTimeout(() => { if (this.session.over && !this.autoplay.running) this.toggleAuto(); }, 1500);
  }

  onerror(error) {
    this.show('error');
    this.fail(error);
  }

  // -- showing ----------------------------------------------------------------------------------

  show(why) {
    const { session } = this;
    const { now, game } = session;
    this.board.setGame(game);
    if (session.at > 0 && ['move', 'redo'].includes(why)) this.board.move(session.line[session.at - 1].cells, now.move, now.cells, now.spawn);
    else this.board.show(now.cells);
    if (now.over && session.atEnd) session.browsing = true;
    this.controls.setGame(game);
    const auto = byId('auto');
    auto.textContent = t(this.autoplay.running ? 'auto.stop' : 'auto.start');
    auto.setAttribute('aria-pressed', String(this.autoplay.running));
    byId('game').textContent = `${gameWords(game)} ▾`;
    byId('stage').classList.toggle('browsing', session.browsing);
    this.showArrows();
    this.look.changed();
    this.chances.clear();
    this.numbers();
    this.say();
    this.games.keepSoon();
    if (why === 'move' && now.over) announce(byId('status').textContent);
  }

  /** The move that was played from here and the best one, where the analysis knows. */
  showArrows() {
    const { session } = this;
    const { next } = session;
    if (!session.browsing || this.autoplay.running || !next?.judged?.best) {
      this.arrows.show();
      return;
    }
    const right = next.judged.loss <= 0;
    this.arrows.show(['best', right ? next.move : next.judged.best], ['played', right ? null : next.move]);
  }

  /** The analysis is done: what it says about the position shown appears. */
  judgedNow() {
    this.look.position = null;
    this.look.changed();
    this.showArrows();
    this.say();
  }

  /** The analysis, from the board: where its panel is not in view, it comes into view. */
  analyse() {
    this.analysis.toggle();
    const panel = byId('game-title').getBoundingClientRect();
    if (panel.top < 0 || panel.bottom > window.innerHeight) byId('game-title').scrollIntoView();
  }

  /** The line below the board. */
  say() {
    const { session, autoplay } = this;
    const { now, variation } = session;
    const score = number(now.score);
    const largest = number(label(session.game, Math.max(...now.cells)));
    const text = (words, strong = false) => h(strong ? 'strong' : 'span', {}, words);
    const mistakes = () => (this.analysis.any ? [
      button('‹', () => this.analysis.jump(-1), { 'aria-label': t('analysis.previous'), title: t('analysis.previous'), id: 'to-mistake-before' }),
      button(t('analysis.next'), () => this.analysis.jump(1), { id: 'to-mistake', title: 'M' })] : []);
    const back = variation && button(t('browse.main'), () => this.lines.backToMain(), { id: 'to-main' });
    if (autoplay.running) {
      const less = autoplay.less > 0 ? ` ${t('auto.less', { depth: depthWords(autoplay.effort.ply) })}` : '';
      this.status.set(text(t('auto.rate', { rate: number(Math.round(autoplay.speed || 0)), player: playerWords(autoplay.model ?? '…') }) + less));
    } else if (now.over && session.atEnd && session.length > 0) {
      this.status.set(h('strong', { class: 'over' }, t('over.text', { score, largest })),
        this.analysis.any ? button(t('over.mistakes'), () => this.analysis.jump(1), { class: 'primary', id: 'over-mistakes' })
          : button(t('over.analyse'), () => this.analyse(), { class: 'primary', id: 'over-analyse' }),
        button(t('over.share'), () => this.share(gameLink(session), 'share.game'), { id: 'over-share' }),
        button(t('game.new'), () => this.games.newGame(), { id: 'again' }), ...(back ? [back] : []));
    } else if (now.over) {
      this.status.set(text(t('over.position')), button(t('game.new'), () => this.games.newGame()));
    } else if (session.browsing) {
      const where = t(variation ? 'browse.variation' : 'browse.text', { at: number(session.at), all: number(session.length), from: number((variation?.depth ?? 1) - 1) });
      const near = mistakes();
      // On a phone what is said about the move stands below the board, not only in a panel further down.
      const note = byId('note').textContent;
      this.status.set(h('span', { class: `${near.length ? 'own-line' : ''}${note ? ' on-desk' : ''}` }, where), ...(note ? [h('strong', { class: 'on-phone' }, note)] : []),
        ...near, ...(back ? [back] : []), button(t('browse.play'), () => this.playOn(), { id: 'play-on', title: 'Enter' }));
    } else if (this.won) {
      this.status.set(text(t('win.text', { tile: this.won }), true));
    } else {
      this.status.set(text(t(session.at === 0 ? 'play.begin' : 'play.go')));
    }
  }

  /** The tile that counts as a win, if it was made by this very move. */
  get won() {
    const { game, now } = this.session;
    const win = game.family.threes ? 9 : 11;
    if (!now.parent || Math.max(...now.parent.cells) >= win || Math.max(...now.cells) < win) return null;
    return label(game, win);
  }

  numbers() {
    const { session } = this;
    const { score, extra } = session.now;
    byId('score').textContent = number(score);
    byId('count').textContent = number(session.at);
    byId('best').textContent = number(bestScore(session));
    const scrub = byId('scrub');
    scrub.max = String(session.length);
    scrub.value = String(session.at);
    scrub.setAttribute('aria-valuetext', t('browse.at', { at: number(session.at), all: number(session.length) }));
    byId('undo').disabled = session.at === 0 && !(session.length === 0 && this.games.past.length);
    byId('redo').disabled = session.atEnd;
    this.showNext(session.game, extra);
  }

  /** The announced tile of Threes, and what is left in the bag. */
  showNext(game, extra) {
    byId('next').hidden = !game.family.threes;
    if (!game.family.threes) return;
    const hints = (extra.hint ?? '').split(',');
    byId('next-tiles').replaceChildren(`${t('next.tile')} `, ...hints.map((hint) => h('span', { class: 'chip', dataset: { rank: hint === '+' ? 9 : hint } }, hint)));
    const [a, b, c] = (extra.bag ?? '0,0,0').split(',');
    byId('next-text').textContent = t('next.bag', { a, b, c });
  }

  /** What the chances and the values are asked about. */
  asked() {
    const { game, now, rules } = this.session;
    return { game, rules, cells: now.cells, position: now.position, model: this.controls.effort().model };
  }

  // -- listening --------------------------------------------------------------------------------

  listen() {
    const { session } = this;
    const click = (id, does) => byId(id).addEventListener('click', does);
    click('new', () => this.games.newGame());
    click('game', () => this.chooser.open());
    click('recent', () => this.recent.open());
    click('undo', () => this.undo());
    click('redo', () => this.redo());
    click('hint', () => this.hint());
    click('auto', () => this.toggleAuto());
    click('edit', () => this.editor.open());
    click('import', () => this.replays.openImport());
    click('export', () => this.replays.openExport());
    click('share-position', () => this.share(positionLink(session), 'share.position'));
    click('share-game', () => this.share(gameLink(session), 'share.game'));
    click('first', () => this.browse(0));
    click('back', () => this.browse(session.at - 1));
    click('forth', () => this.browse(session.at + 1));
    click('last', () => this.browse(session.length));
    byId('scrub').addEventListener('input', (event) => this.browse(Number(event.target.value)));
    byId('speed').addEventListener('input', () => { this.autoplay.rate = this.controls.speed; });
    this.autoplay.rate = this.controls.speed;
    byId('endless').checked = kept.read('endless', false);
    byId('endless').addEventListener('change', () => kept.write('endless', byId('endless').checked));
    window.addEventListener('resize', () => this.analysis.draw());
    givesKeysBack(byId('view-play'));
    swipes(byId('board'), (direction) => this.move(direction));
    keys(() => !byId('view-play').hidden, {
      slide: (direction) => this.move(direction),
      arrow: (direction) => (session.browsing ? this.step(direction) : this.move(direction)),
      ' ': () => this.toggleAuto(), t: () => this.hint(), z: () => this.undo(), Backspace: () => this.undo(), y: () => this.redo(),
      n: () => this.games.newGame(), v: () => this.look.toggle(), e: () => this.editor.open(), i: () => this.replays.openImport(), g: () => this.chooser.open(),
      r: () => this.recent.open(), x: () => this.analysis.toggle(), m: () => this.analysis.jump(1), M: () => this.analysis.jump(-1),
      ',': () => this.browse(session.at - 1), '.': () => this.browse(session.at + 1), Home: () => this.browse(0), End: () => this.browse(session.length),
      Enter: () => { if (session.browsing) this.playOn(); },
    });
  }

  /** An arrow key while browsing: one move back or on, to the first or the last position. */
  step(direction) {
    const { at, length } = this.session;
    this.browse({ left: at - 1, right: at + 1, up: 0, down: length }[direction]);
  }

  share(link, what) {
    window.history.replaceState(null, '', link);
    this.session.address = link;
    this.games.keep();
    copy(window.location.href, t('copied', { what: t(what) }), t('copied.not', { what: t(what) }));
  }

  leave() {
    if (this.autoplay.running) this.toggleAuto();
    this.chances.clear();
    this.games.keep();
  }
}
