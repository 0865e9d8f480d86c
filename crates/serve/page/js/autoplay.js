// The AI plays. Moves come from the server in batches, ahead of time; each frame shows as many as are due.

import { backend, connection } from './api.js';

export const SPEEDS = [1, 2, 5, 10, 25, 50, 100, 250, 1000];
/** Batches shorter than this tell nothing about the speed of the player. */
const TELLING = 8;
/** Above this many moves a second tiles no longer slide. */
const SLIDES_UP_TO = 6;
const NAMES = { u: 'up', r: 'right', d: 'down', l: 'left' };

export class Autoplay {
  /** `host` has a session, controls and a status, `onstep(slides)`, `onend()` and `onerror(error)`. */
  constructor(host) {
    this.host = host;
    this.wanted = 100;
    this.less = 0; // how many moves less far it looks, to keep up
    this.running = false;
    this.ready = []; // moves not yet shown
    this.shown = 0;
  }

  /** Moves a second that are wanted. */
  get rate() { return this.wanted; }

  set rate(rate) {
    this.wanted = rate;
    this.less = 0;
  }

  /** Where nobody chose a depth, it looks less far rather than play slower than is wanted. */
  get effort() {
    const { controls } = this.host;
    const effort = controls.effort();
    return controls.usual && effort.ply ? { ...effort, ply: Math.max(1, effort.ply - this.less) } : effort;
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.less = 0;
    this.loaded = false;
    this.ready = [];
    this.over = false;
    this.asked = null;
    this.last = performance.now();
    this.due = 1;
    this.shown = 0;
    this.began = 0; // when the first move was shown
    this.from = this.host.session.position;
    this.fill();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  stop() {
    if (!this.running) return;
    this.running = false;
    cancelAnimationFrame(this.frame);
    this.asked?.abort();
    this.ready = [];
  }

  /** Asks for more before what is ready runs out. Where the server is gone it waits for it. */
  async fill() {
    if (this.asked || this.over || !this.running || this.ready.length > this.rate * 0.8) return;
    const asked = new AbortController();
    this.asked = asked;
    const { session, controls, status } = this.host;
    const done = this.ready.length === 0 ? status.busy(controls.waiting) : () => {};
    try {
      const moves = Math.max(4, Math.min(1000, Math.round(this.rate * 1.5)));
      const { effort } = this;
      const began = performance.now();
      const track = await backend.play({ ...session.rules, position: this.from, moves, ...effort }, asked.signal);
      if (!this.running || this.asked !== asked) return;
      const possible = (track.moves.length * 1000) / (performance.now() - began);
      // The first answer may have waited for a model.
      if (this.loaded && track.moves.length >= TELLING && possible < this.rate && this.effort.ply > 1 && controls.usual) this.less += 1;
      this.loaded = true;
      session.reach = Math.max(session.reach, effort.ply ?? controls.ply);
      for (let i = 0; i < track.moves.length; i += 1) {
        this.ready.push({ move: track.moves[i], position: track.positions[i], spawn: track.spawns[i], reward: track.rewards[i] });
      }
      this.over = track.over;
      this.from = track.positions.at(-1) ?? this.from;
      this.model = track.model;
      controls.heard(track.model);
    } catch (error) {
      if (error.lost) await connection.back(asked.signal).catch(() => {});
      else if (error.name !== 'AbortError' && this.running) {
        this.stop();
        this.host.onerror(error);
        return;
      }
    } finally {
      done();
      if (this.asked === asked) this.asked = null;
    }
    this.fill();
  }

  tick(now) {
    if (!this.running) return;
    const passed = Math.min(now - this.last, 250);
    this.last = now;
    // Waiting for the server earns no moves to catch up with.
    this.due = Math.min(this.due + (passed * this.rate) / 1000, Math.max(2, this.rate / 4));
    let steps = Math.min(Math.floor(this.due), this.ready.length);
    this.due -= steps;
    const slides = this.rate <= SLIDES_UP_TO && steps === 1;
    const { session } = this.host;
    if (steps > 0) {
      // What stood ready at first says nothing about the speed.
      const counted = this.began > 0;
      this.began ||= now;
      for (; steps > 0; steps -= 1) {
        const step = this.ready.shift();
        session.push(NAMES[step.move], step.position, step.spawn, step.reward, { ai: true, quiet: true });
        if (counted) this.shown += 1;
      }
      this.host.onstep(slides);
    }
    if (this.over && this.ready.length === 0) {
      session.now.over = true;
      this.stop();
      this.host.onend();
      return;
    }
    this.fill();
    this.frame = requestAnimationFrame((then) => this.tick(then));
  }

  /** Moves a second since it began. */
  get speed() { return (this.shown * 1000) / Math.max(1, performance.now() - this.began); }
}
