// The board, its buttons, and the game that is played on it.

import { Analysis, bestOf } from './analysis.js';
import { get, post } from './api.js';
import { Autoplay, SPEEDS } from './autoplay.js';
import { Board } from './board.js';
import { announce, byId, copy, h, number, toast } from './dom.js';
import { Editor } from './editor.js';
import { keys, swipes } from './input.js';
import { Replays } from './replay.js';
import { ARROWS, FAMILIES, gameName, hintText, label, slide } from './rules.js';
import { Session } from './session.js';
import { gameLink, positionLink, unpackGame } from './share.js';

export class Play {
  constructor() {
    this.session = new Session();
    this.board = new Board(byId('board'));
    this.autoplay = new Autoplay(this);
    this.analysis = new Analysis(this);
    this.editor = new Editor(this);
    this.replays = new Replays(this);
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.fillSelects();
    this.listen();
    this.session.addEventListener('change', ({ detail }) => this.show(detail));
  }

  // -- who plays -------------------------------------------------------------------------------

  /** What requests say about depth and model. */
  effort() {
    const [kind, value] = byId('ply').value.split(' ');
    const model = byId('model').value || undefined;
    if (kind === 'ply') return { ply: Number(value), model };
    return kind === 'time' ? { time_ms: Number(value), model } : { model };
  }

  fillSelects() {
    const option = (value, text, selected = false) => h('option', { value, selected }, text);
    byId('family').append(...FAMILIES.map((family) => option(family.name, family.title)));
    for (const side of ['rows', 'cols']) {
      byId(side).append(...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => option(String(n), String(n), n === 4)));
    }
    byId('ply').append(
      option('', 'as usual'),
      ...[1, 2, 3, 4, 5].map((n) => option(`ply ${n}`, n === 1 ? '1 move' : `${n} moves`)),
      ...[20, 100, 1000].map((ms) => option(`time ${ms}`, ms < 1000 ? `${ms} ms a move` : '1 s a move')),
    );
    get('models').then(({ models }) => {
      byId('model').replaceChildren(option('', 'best for this game'), ...models.map((model) => option(model.id, model.id)));
    }).catch((error) => toast(error.message, 'error'));
  }

  // -- the game --------------------------------------------------------------------------------

  async newGame(name = gameName(byId('family').value, Number(byId('rows').value), Number(byId('cols').value))) {
    this.autoplay.stop();
    try {
      const found = await post('game', { game: name });
      this.session.start(found.game, found.position, found.score);
      announce('New game');
    } catch (error) {
      toast(error.message, 'error');
      this.showSelects();
    }
  }

  /** What the address asks for. */
  async open({ game, position, moves, at }) {
    if (!position) {
      await this.newGame(game ?? '2048');
      return;
    }
    this.autoplay.stop();
    try {
      const steps = moves ? unpackGame(moves) : null;
      if (moves && !steps) throw new Error('the game in the address is damaged');
      const found = await post('position', { game: game ?? '2048', position });
      if (!steps) {
        this.session.start(found.game, found.position, found.score);
        this.session.over = found.over;
        this.show('start');
        return;
      }
      const written = await post('replay/write', { game: found.game, start: found.position, format: 'ours', ...steps });
      const track = await post('replay/read', { text: written.text });
      this.load(track, at === null ? undefined : Number(at));
    } catch (error) {
      toast(`The link does not work: ${error.message}`, 'error');
      await this.newGame('2048');
    }
  }

  /** Shows a whole game, at its end or at some move. */
  load(track, at = track.moves.length) {
    this.autoplay.stop();
    this.session.start(track.game, track.start, track.start_score, track.variant);
    this.session.append(track);
    this.session.at = Math.max(0, Math.min(track.moves.length, at));
    this.session.changed('load');
  }

  /** A slide by a person: shown at once, chance answers when the server does. */
  move(direction) {
    if (this.autoplay.running) this.toggleAuto();
    if (this.waiting > 3) return;
    this.waiting += 1;
    this.queue = this.queue.then(() => this.slide(direction)).finally(() => { this.waiting -= 1; });
  }

  async slide(direction) {
    const { session } = this;
    if (!byId('overlay').hidden) return;
    const { game, now } = session;
    if (!slide(game, now.cells, direction).moved) return;
    try {
      const found = await post('move', { game: game.name, variant: game.variant, position: now.position, move: direction });
      if (session.now !== now) return;
      session.push(direction, found.position, found.spawn, found.reward);
      session.over = found.over;
      this.speak(direction, found);
      if (found.over) this.end();
      else this.celebrate(now.cells);
    } catch (error) {
      toast(error.message, 'error');
    }
  }

  speak(direction, found) {
    const { game } = this.session;
    const [cell, rank] = found.spawn;
    const where = `row ${Math.floor(cell / game.cols) + 1}, column ${(cell % game.cols) + 1}`;
    const hint = hintText(this.session.now.extra);
    announce(`${direction}. ${found.reward ? `${found.reward} points. ` : ''}New ${label(game, rank)} in ${where}.${hint ? ` Next: ${hint}.` : ''} Score ${number(this.session.now.score)}.${found.over ? ' The game is over.' : ''}`);
  }

  /** The 2048 tile for the first time: a moment to be glad, then play goes on. */
  celebrate(before) {
    const win = this.session.game.family.threes ? 9 : 11;
    if (this.session.keptGoing || Math.max(...before) >= win || Math.max(...this.session.now.cells) < win) return;
    this.overlay(`You made the ${label(this.session.game, win)}!`, true);
  }

  end() {
    this.overlay(`Game over: ${number(this.session.now.score)} points`, false);
  }

  overlay(text, goesOn) {
    byId('overlay').hidden = false;
    byId('overlay-text').textContent = text;
    byId('keep').hidden = !goesOn;
    announce(text);
    (goesOn ? byId('keep') : byId('again')).focus({ preventScroll: true });
  }

  undo() {
    this.autoplay.stop();
    this.session.undo();
    announce(`Undone. Score ${number(this.session.now.score)}.`);
  }

  redo() {
    this.session.redo();
  }

  async hint() {
    if (this.autoplay.running) return;
    const found = await this.analysis.look(true);
    const best = bestOf(found);
    if (!best) {
      if (found) toast('No move is legal: the game is over');
      return;
    }
    const arrow = byId('hint-arrow');
    arrow.textContent = ARROWS[best];
    arrow.hidden = false;
    announce(`Hint: ${best}`);
  }

  toggleAuto() {
    if (this.autoplay.running) {
      this.autoplay.stop();
      this.show('stop');
      this.analysis.look();
      return;
    }
    byId('overlay').hidden = true;
    if (this.session.over && this.session.atEnd) {
      this.newGame(this.session.game.name).then(() => this.beginAuto());
    } else {
      this.beginAuto();
    }
  }

  beginAuto() {
    this.session.keptGoing = true;
    this.autoplay.start();
    announce('The AI plays');
    this.show('auto');
  }

  // -- what the autoplay tells ------------------------------------------------------------------

  onstep(slides) {
    const { session } = this;
    if (slides) {
      const step = session.steps[session.at - 1];
      this.board.move(session.nodes[session.at - 1].cells, step.move, session.now.cells, step.spawn);
    } else {
      this.board.show(session.now.cells);
    }
    this.numbers();
    const now = performance.now();
    if (now - (this.rateShown ?? 0) > 300) {
      this.rateShown = now;
      byId('rate').textContent = `${number(this.autoplay.speed)} moves a second, played by ${this.autoplay.model ?? '…'}`;
    }
  }

  onend() {
    this.show('end');
    if (byId('endless').checked) {
      setTimeout(() => { if (this.session.over && !this.autoplay.running) this.toggleAuto(); }, 1500);
    } else {
      this.end();
    }
  }

  onerror(error) {
    this.show('error');
    toast(error.message, 'error');
  }

  // -- showing ---------------------------------------------------------------------------------

  show(why) {
    const { session } = this;
    this.board.setGame(session.game);
    byId('hint-arrow').hidden = true;
    if (!['auto', 'end', 'move'].includes(why) || !session.over) byId('overlay').hidden = true;
    const step = session.steps[session.at - 1];
    if (why === 'move') this.board.move(session.nodes[session.at - 1].cells, step.move, session.now.cells, step.spawn);
    else if (why === 'redo') this.board.move(session.nodes[session.at - 1].cells, step.move, session.now.cells, step.spawn);
    else this.board.show(session.now.cells);
    if (why === 'start' || why === 'load') this.showSelects();
    const auto = byId('auto');
    auto.textContent = this.autoplay.running ? '■ Stop the AI' : '▶ Watch the AI play';
    auto.setAttribute('aria-pressed', String(this.autoplay.running));
    byId('rate').hidden = !this.autoplay.running && !this.autoplay.shown;
    this.numbers();
  }

  showSelects() {
    const { game } = this.session;
    byId('family').value = game.family.name;
    byId('rows').value = String(game.rows);
    byId('cols').value = String(game.cols);
  }

  numbers() {
    const { session } = this;
    const { score, extra, cells } = session.now;
    byId('score').textContent = number(score);
    byId('count').textContent = number(session.at);
    const key = `best ${session.game.name}`;
    const best = Math.max(score, Number(localStorage.getItem(key) ?? 0));
    if (session.at > 0) localStorage.setItem(key, String(best));
    byId('best').textContent = number(best);
    const scrub = byId('scrub');
    scrub.max = String(session.steps.length);
    scrub.value = String(session.at);
    byId('undo').disabled = session.at === 0;
    byId('redo').disabled = session.atEnd;
    this.showNext(session.game, extra, cells);
  }

  /** The announced tile of Threes, and what is left in the bag. */
  showNext(game, extra) {
    byId('next').hidden = !game.family.threes;
    if (!game.family.threes) return;
    const hints = (extra.hint ?? '').split(',');
    byId('next-tiles').replaceChildren('Next ', ...hints.map((hint) => h('span', { class: 'chip', dataset: { rank: hint === '+' ? 9 : hint } }, hint)));
    const [a, b, c] = (extra.bag ?? '0,0,0').split(',');
    byId('next-text').textContent = `in the bag: ${a} × 1, ${b} × 2, ${c} × 3`;
  }

  listen() {
    const click = (id, does) => byId(id).addEventListener('click', does);
    click('new', () => this.newGame());
    click('again', () => this.newGame(this.session.game.name));
    click('keep', () => { this.session.keptGoing = true; byId('overlay').hidden = true; });
    click('undo', () => this.undo());
    click('redo', () => this.redo());
    click('hint', () => this.hint());
    click('auto', () => this.toggleAuto());
    click('edit', () => this.editor.open());
    click('import', () => this.replays.openImport());
    click('export', () => this.replays.openExport());
    click('share-position', () => this.share(positionLink(this.session), 'Link to this position'));
    click('share-game', () => this.share(gameLink(this.session), 'Link to this game'));
    const browse = (at) => { this.autoplay.stop(); this.session.go(at()); };
    click('first', () => browse(() => 0));
    click('back', () => browse(() => this.session.at - 1));
    click('forth', () => browse(() => this.session.at + 1));
    click('last', () => browse(() => this.session.steps.length));
    byId('scrub').addEventListener('input', (event) => browse(() => Number(event.target.value)));
    for (const id of ['family', 'rows', 'cols']) byId(id).addEventListener('change', () => this.newGame());
    for (const id of ['model', 'ply']) {
      byId(id).addEventListener('change', () => {
        if (this.autoplay.running) { this.autoplay.stop(); this.autoplay.start(); }
        this.analysis.look();
      });
    }
    byId('speed').addEventListener('input', () => this.setSpeed());
    this.setSpeed();
    swipes(byId('board'), (direction) => this.move(direction));
    keys(() => !byId('view-play').hidden, (direction) => this.move(direction), {
      ' ': () => this.toggleAuto(), t: () => this.hint(), '?': () => this.hint(), z: () => this.undo(), Backspace: () => this.undo(),
      y: () => this.redo(), n: () => this.newGame(this.session.game.name), v: () => this.analysis.toggle(), e: () => this.editor.open(),
      m: () => this.analysis.jump(1), ',': () => browse(() => this.session.at - 1), '.': () => browse(() => this.session.at + 1),
    });
  }

  setSpeed() {
    this.autoplay.rate = SPEEDS[Number(byId('speed').value)];
    const text = this.autoplay.rate === 1 ? '1 move/s' : `${this.autoplay.rate} moves/s`;
    byId('speed-text').textContent = text;
    byId('speed').setAttribute('aria-valuetext', text);
  }

  share(link, what) {
    window.history.replaceState(null, '', link);
    copy(window.location.href, what);
  }

  /** A typed-in position becomes a new game. */
  use(found) {
    this.session.start(found.game, found.position, found.score);
    this.session.over = found.over;
    this.show('start');
    if (found.over) toast('In this position no move is legal');
  }

  leave() { if (this.autoplay.running) this.toggleAuto(); }
}

