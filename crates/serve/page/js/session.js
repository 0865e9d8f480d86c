// A game as the page holds it: a tree of positions, the line that is shown, and where we look. Nothing is ever
// cut off: a move that differs from the one made before opens a line of its own.

import { parseGame, parsePosition } from './rules.js';

const LETTERS = { u: 'up', r: 'right', d: 'down', l: 'left' };

/** A position, and the move that led to it. */
class Node {
  constructor(parent, position, score, step = {}) {
    this.parent = parent;
    this.position = position;
    this.score = score;
    this.move = step.move;
    this.spawn = step.spawn;
    this.ai = Boolean(step.ai);
    this.depth = parent ? parent.depth + 1 : 0;
    this.children = []; // the first is the main line
    this.over = false;
    this.judged = null; // what the analysis said about `move`
  }

  read() {
    const { cells, extra } = parsePosition(this.position);
    this.known = { cells, extra };
    return this.known;
  }

  get cells() { return (this.known ?? this.read()).cells; }
  get extra() { return (this.known ?? this.read()).extra; }
}

export class Session extends EventTarget {
  constructor() {
    super();
    this.game = parseGame('2048');
    this.clear('0000/0000/0000/0000', 0);
  }

  clear(position, score) {
    this.root = new Node(null, position, score);
    this.line = [this.root];
    this.forks = new Set(); // nodes with more than one child
    this.at = 0;
    this.browsing = false;
    this.origin = 'new'; // or 'position', 'import', 'link'
    this.judge = {}; // who judged its moves, and how far ahead
    this.reach = 0; // how many moves the AI that played in it looked ahead, at most
  }

  /** Starts anew from a position. */
  start(gameName, position, score, { variant, origin = 'new' } = {}) {
    this.game = parseGame(gameName, variant);
    this.clear(position, score);
    this.origin = origin;
    this.changed('start');
  }

  get now() { return this.line[this.at]; }
  get position() { return this.now.position; }
  get length() { return this.line.length - 1; }
  get atEnd() { return this.at === this.length; }
  get over() { return this.now.over; }
  /** The move made from here in the line that is shown. */
  get next() { return this.line[this.at + 1]; }
  /** The game as requests name it. */
  get rules() { return { game: this.game.name, variant: this.game.variant }; }

  /** A move. While browsing it stands beside what was played; while playing it takes its place as the main line. */
  push(move, position, spawn, reward, { ai = false, quiet = false } = {}) {
    const { now } = this;
    const child = new Node(now, position, now.score + reward, { move, spawn, ai });
    if (this.browsing) now.children.push(child);
    else now.children.unshift(child);
    if (now.children.length > 1) this.forks.add(now);
    // Another line is another list: views notice by that.
    if (!this.atEnd) this.line = this.line.slice(0, this.at + 1);
    this.line.push(child);
    this.at += 1;
    if (!quiet) this.changed('move');
    return child;
  }

  /** What was played from here before with this move, if anything. */
  known(move) { return this.now.children.find((child) => child.move === move); }

  /** Appends a whole track: several moves at once. `ai` says by number whether the AI made them. */
  append(track, ai = () => false) {
    for (let i = 0; i < track.moves.length; i += 1) {
      this.push(LETTERS[track.moves[i]], track.positions[i], track.spawns[i], track.rewards[i], { ai: ai(i), quiet: true });
    }
    this.now.over = track.over;
  }

  /** Shows the line through a node, at that node. */
  visit(node, why = 'jump') {
    this.show(node);
    this.changed(why);
  }

  show(node) {
    const line = [];
    for (let one = node; one; one = one.parent) line.push(one);
    line.reverse();
    for (let one = node.children[0]; one; [one] = one.children) line.push(one);
    this.line = line;
    this.at = node.depth;
  }

  go(at, why = 'jump') {
    const target = Math.max(0, Math.min(this.length, at));
    if (target === this.at) return;
    this.at = target;
    this.changed(why);
  }

  /** The first nodes of all variations, in the order of the game. */
  get variations() {
    return [...this.forks].flatMap((fork) => fork.children.slice(1)).sort((a, b) => a.depth - b.depth);
  }

  /** The first node of the variation that is shown and reached, if any. */
  get variation() {
    return this.variations.findLast((first) => this.line[first.depth] === first && first.depth <= this.at);
  }

  /** The last node of the line that goes on from one. */
  static end(node) {
    let last = node;
    while (last.children.length) [last] = last.children;
    return last;
  }

  /** Makes the line through a node the main one. */
  promote(node) {
    for (let one = node; one.parent; one = one.parent) {
      const { children } = one.parent;
      children.splice(children.indexOf(one), 1);
      children.unshift(one);
    }
    this.visit(this.now, 'lines');
  }

  /** Takes a variation away; the answer puts it back. */
  remove(first) {
    const { parent } = first;
    const place = parent.children.indexOf(first);
    parent.children.splice(place, 1);
    if (parent.children.length < 2) this.forks.delete(parent);
    const shown = this.line[first.depth] === first;
    const { now } = this;
    if (shown) this.show(now.depth >= first.depth ? parent : now);
    this.changed('lines');
    return () => {
      parent.children.splice(place, 0, first);
      if (parent.children.length > 1) this.forks.add(parent);
      if (shown) this.show(now);
      this.changed('lines');
    };
  }

  /** Whether the AI made a move on the way to the position shown. */
  get helped() {
    for (let i = this.at; i > 0; i -= 1) if (this.line[i].ai) return true;
    return false;
  }

  changed(why) { this.dispatchEvent(new CustomEvent('change', { detail: why })); }

  /** The moves of the line shown, from some position on, as the API takes them. */
  record(from = 0, line = this.line) {
    const steps = line.slice(from + 1);
    return {
      ...this.rules,
      start: line[from].position,
      moves: steps.map((node) => node.move[0]).join(''),
      spawns: steps.map((node) => node.spawn),
    };
  }

  // -- as something that can be kept -------------------------------------------------------------

  /** All lines: where each leaves an earlier one, and its nodes. The first is the main line. */
  lines() {
    const lines = [];
    const walk = (first, from) => {
      const nodes = [];
      const number = lines.push({ from, nodes }) - 1;
      for (let node = first; node; [node] = node.children) {
        nodes.push(node);
      }
      const forks = [...(first === this.root.children[0] ? [this.root] : []), ...nodes].filter((node) => this.forks.has(node));
      for (const fork of forks) for (const child of fork.children.slice(1)) walk(child, [number, fork.depth]);
    };
    if (this.root.children[0]) walk(this.root.children[0], null);
    return lines;
  }

  /** Puts a tree in place of this one: the snapshot of another moment. */
  restore(snapshot) {
    Object.assign(this, snapshot);
    this.changed('load');
  }

  get snapshot() {
    const { game, root, line, forks, at, browsing, origin, judge, reach, id, address, created } = this;
    return { game, root, line, forks, at, browsing, origin, judge, reach, id, address, created };
  }
}
