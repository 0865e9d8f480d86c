// A game as the page holds it: every position so far, and where we look. The server keeps nothing.

import { parseGame, parsePosition } from './rules.js';

export class Session extends EventTarget {
  constructor() {
    super();
    this.game = parseGame('2048');
    this.clear('0000/0000/0000/0000', 0);
  }

  clear(position, score) {
    this.nodes = [{ position, score, ...parsePosition(position) }];
    this.steps = [];
    this.judged = []; // what the analysis said, by the number of the step
    this.at = 0;
    this.over = false;
    this.keptGoing = false;
  }

  /** Starts anew from a position. */
  start(gameName, position, score, variant = undefined) {
    this.game = parseGame(gameName);
    if (variant && Object.values(variant).some((value) => value !== null && value !== undefined)) {
      this.game.variant = variant;
    }
    this.clear(position, score);
    this.changed('start');
  }

  get now() { return this.nodes[this.at]; }
  get position() { return this.now.position; }
  get atEnd() { return this.at === this.steps.length; }

  /** A move, after whatever was undone is forgotten. */
  push(move, position, spawn, reward, quiet = false) {
    if (!this.atEnd) {
      this.steps.length = this.at;
      this.nodes.length = this.at + 1;
      this.judged.length = Math.min(this.judged.length, this.at);
      this.over = false;
    }
    this.steps.push({ move, spawn, reward });
    this.nodes.push({ position, score: this.now.score + reward, ...parsePosition(position) });
    this.at += 1;
    if (!quiet) this.changed('move');
  }

  /** Appends a whole track of the server: several moves at once. */
  append(track) {
    const letters = { u: 'up', r: 'right', d: 'down', l: 'left' };
    for (let i = 0; i < track.moves.length; i += 1) {
      this.push(letters[track.moves[i]], track.positions[i], track.spawns[i], track.rewards[i], true);
    }
    this.over = track.over;
  }

  go(at, why = 'jump') {
    const target = Math.max(0, Math.min(this.steps.length, at));
    if (target === this.at) return;
    this.at = target;
    this.changed(why);
  }

  undo() { this.go(this.at - 1, 'undo'); }
  redo() { this.go(this.at + 1, 'redo'); }

  changed(why) { this.dispatchEvent(new CustomEvent('change', { detail: why })); }

  /** The game as the API takes it. */
  record() {
    return {
      game: this.game.name,
      variant: this.game.variant,
      start: this.nodes[0].position,
      moves: this.steps.map((step) => step.move[0]).join(''),
      spawns: this.steps.map((step) => step.spawn),
    };
  }
}
