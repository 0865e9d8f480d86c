// The whole game judged: a graph of the final score to be expected, a summary, and the mistakes.

import { backend, connection } from './api.js';
import { chart, color } from './chart.js';
import { usualDepth } from './controls.js';
import { announce, byId, button, h, number, option, percent, toast } from './dom.js';
import { CLASSES, classOf, expected, milestones, mistakes, summarise } from './judge.js';
import { keepJudgement } from './judgement.js';
import { keepPuzzles } from './puzzles.js';
import { ARROWS, label } from './rules.js';
import { depthWords, playerWords, t } from './words.js';

export class Analysis {
  /** `host` has a session, `controls`, `browse(depth)` and `fail(error)`. */
  constructor(host) {
    this.host = host;
    this.session = host.session;
    this.order = 'loss';
    this.classes = new Set(CLASSES.map(({ name }) => name));
    byId('analysis-ply').append(option('', t('analysis.depth.usual')), ...[1, 2, 3, 4, 5].map((n) => option(String(n), depthWords(n))));
    byId('order').append(option('loss', t('analysis.by.loss')), option('move', t('analysis.by.move')));
    byId('analyse').addEventListener('click', () => this.toggle());
    byId('next-mistake').addEventListener('click', () => this.jump(1));
    byId('previous-mistake').addEventListener('click', () => this.jump(-1));
    byId('order').addEventListener('change', () => { this.order = byId('order').value; this.list(); this.mark(); });
    this.session.addEventListener('change', ({ detail }) => {
      if (detail === 'start' || detail === 'load') this.judging?.abort();
      if (this.line !== this.session.line || ['start', 'load', 'lines'].includes(detail)) this.show();
      else this.mark();
    });
    this.show();
  }

  /** Who judged the moves of this game, and how many moves ahead. */
  get by() { return this.session.judge.by; }
  get ply() { return this.session.judge.ply; }

  /** How far the judge looks: further than the AI did, else as far as is usual. */
  depth() {
    const chosen = Number(byId('analysis-ply').value);
    if (chosen) return chosen;
    const usual = usualDepth(this.session.game);
    const played = this.session.line.some((node) => node.ai) ? this.session.reach || usual : 0;
    return Math.min(5, Math.max(usual, Math.min(played, usual + 1) + 1));
  }

  toggle() {
    if (this.judging) this.judging.abort();
    else this.judge();
  }

  /** Judges every move of the line shown, from the first that is not judged at this depth, until its end. */
  async judge() {
    const { session } = this;
    if (session.length === 0) {
      toast(t('analysis.nothing'));
      return;
    }
    const judging = new AbortController();
    this.judging = judging;
    const line = [...session.line];
    const ply = this.depth();
    const { model } = this.host.controls.effort();
    for (const node of line) node.judged = null;
    session.judge = { ply };
    this.began = null;
    byId('analyse').textContent = t('analysis.stop');
    byId('progress').hidden = false;
    byId('progress').max = line.length - 1;
    const done = this.host.status.busy(this.host.controls.waiting);
    let reached = 0;
    try {
      while (reached < line.length - 1) {
        const before = reached;
        reached = await this.part(line, reached, { ply, model }, judging.signal, done);
        // A server that has had enough of a long game is asked for the rest of it.
        if (reached === before) break;
      }
      this.collect(line);
    } catch (error) {
      if (error.name !== 'AbortError') this.host.fail(error);
    } finally {
      done();
      this.judging = null;
      if (line.includes(session.root)) {
        this.host.games.keep();
        keepJudgement(session, line);
      }
      byId('progress').hidden = true;
      byId('analyse').textContent = t('analysis.start');
      this.show();
      this.host.judgedNow();
      const told = byId('verdict').textContent;
      if (told) announce(told);
    }
  }

  /** Judges on from a position; answers how far it came. Where the server is gone it waits until it is back. */
  async part(line, from, effort, signal, done) {
    let reached = from;
    let drawn = 0;
    try {
      for await (const found of backend.analyzeReplay({ ...this.session.record(from, line), effort }, signal)) {
        done();
        this.began ??= performance.now(); // loading is no measure of speed
        if (found.done !== undefined) {
          this.session.judge.by = found.model;
          this.host.controls.heard(found.model);
          continue;
        }
        reached = from + found.number;
        const { best, value, values, loss } = found;
        line[reached].judged = { best, value, values, loss };
        if (performance.now() - drawn > 150) {
          drawn = performance.now();
          byId('progress').value = reached;
          const told = t('analysis.progress', { done: number(reached), all: number(line.length - 1), depth: depthWords(effort.ply) });
          const passed = drawn - this.began;
          const left = Math.round((passed / 1000) * ((line.length - 1) / reached - 1));
          byId('verdict').textContent = passed > 2000 && left > 2 ? `${told}, ${t('analysis.left', { seconds: number(left) })}` : told;
          this.draw();
        }
      }
    } catch (error) {
      if (!error.lost) throw error;
      byId('verdict').textContent = t('analysis.waiting');
      await connection.back(signal);
      return reached === from ? this.part(line, from, effort, signal, done) : reached;
    }
    return reached;
  }

  /** The person's mistakes become puzzles. */
  collect(line) {
    const found = mistakes(line, { order: 'loss' }).filter(({ node }) => !node.ai);
    byId('to-puzzles').hidden = found.length === 0;
    keepPuzzles(found.slice(0, 20).map(({ node, kind }) => ({
      ...this.session.rules, position: node.parent.position, played: node.move, kind: kind.name, number: node.depth,
      best: node.judged.best, values: node.judged.values, ply: this.depth(), by: this.by,
    })));
  }

  // -- showing ----------------------------------------------------------------------------------

  get inPoints() { return this.by !== 'heuristic'; }

  /** Everything that belongs to the line shown. */
  show() {
    this.line = this.session.line;
    const summary = summarise(this.line);
    byId('summary').hidden = !summary;
    byId('judged').hidden = !summary;
    if (!summary) {
      byId('verdict').textContent = t('analysis.about');
      byId('to-puzzles').hidden = true;
    } else {
      this.conclude(summary);
    }
    this.list();
    this.draw();
    this.mark();
  }

  conclude(summary) {
    const told = [t('analysis.judged', { moves: number(summary.moves), player: playerWords(this.by ?? ''), depth: depthWords(this.ply ?? this.depth()) })];
    if (this.session.reach && this.line.some((node) => node.ai)) told.push(t('analysis.ai', { depth: depthWords(this.session.reach) }));
    if (summary.moves < this.line.length - 1) told.push(t('analysis.partial', { all: number(this.line.length - 1) }));
    byId('verdict').textContent = told.join(' ');
    const fact = (key, value, title) => h('div', { class: 'fact', title }, h('dt', {}, t(key)), h('dd', {}, value));
    const facts = [
      fact('analysis.accuracy', `${(Math.floor(summary.accuracy * 10_000) / 100).toFixed(summary.accuracy > 0.99 ? 2 : 1)}\u00a0%`, t('analysis.accuracy.about')),
      fact('analysis.best', percent(summary.best)),
      fact('analysis.longest', number(summary.longest), t('analysis.longest.about')),
    ];
    facts.push(fact('analysis.hundred', percent(summary.perHundred), t('analysis.hundred.about')));
    byId('summary').replaceChildren(...facts);
    if (this.inPoints && summary.luck !== null && summary.total > summary.first) {
      // A sum of losses above all that there was to win would only mislead.
      byId('account').textContent = t('analysis.account.much', { first: number(Math.round(summary.first)), final: number(summary.final) });
    } else if (this.inPoints && summary.luck !== null) {
      byId('account').textContent = t(summary.luck >= 0 ? 'analysis.account.lucky' : 'analysis.account.unlucky', {
        first: number(Math.round(summary.first)), loss: number(Math.round(summary.total)), luck: number(Math.abs(Math.round(summary.luck))), final: number(summary.final),
      });
    } else byId('account').textContent = '';
    byId('classes').replaceChildren(...CLASSES.map(({ name, glyph }) => button(
      `${glyph} ${t(`class.${name}.many`)} ${number(summary.counts[name])}`,
      () => this.filter(name),
      { class: `class ${name}`, 'aria-pressed': String(this.classes.has(name)), title: t(`class.${name}.about`), dataset: { class: name } },
    )));
  }

  filter(name) {
    if (!this.classes.delete(name)) this.classes.add(name);
    for (const one of byId('classes').children) one.setAttribute('aria-pressed', String(this.classes.has(one.dataset.class)));
    this.list();
    this.mark();
  }

  get found() { return mistakes(this.line, { order: this.order, classes: [...this.classes] }); }

  list() {
    const { found } = this;
    const place = byId('mistakes');
    place.hidden = found.length === 0;
    place.replaceChildren(...found.slice(0, 300).map(({ node, kind }) => h('li', {}, button('', () => this.visit(node), { dataset: { depth: node.depth } }))));
    for (const [i, item] of [...place.children].entries()) {
      const { node, kind } = found[i];
      item.firstChild.append(
        h('span', { class: `glyph ${kind.name}` }, kind.glyph),
        h('span', {}, t('analysis.item', { number: number(node.depth), played: `${ARROWS[node.move]} ${t(`move.${node.move}`)}`, best: `${ARROWS[node.judged.best]} ${t(`move.${node.judged.best}`)}` })),
        h('span', { class: 'loss' }, `−${number(node.judged.loss)}`));
    }
    const none = found.length === 0;
    byId('next-mistake').disabled = none;
    byId('previous-mistake').disabled = none;
    byId('no-mistakes').hidden = !none || byId('judged').hidden;
  }

  /** True where there is a mistake to go to. */
  get any() { return this.line.some((node) => node.judged) && this.found.length > 0; }

  /** To the next position in which a mistake was made, around the end to the first. */
  jump(direction) {
    const { found } = this;
    if (found.length === 0) {
      toast(t(byId('judged').hidden ? 'analysis.first' : 'analysis.none'));
      return;
    }
    const here = found.findIndex(({ node }) => node === this.session.next);
    if (this.order === 'loss' && here >= 0) {
      this.visit(found[(here + direction + found.length) % found.length].node);
      return;
    }
    const places = mistakes(this.line, { classes: [...this.classes] }).map(({ node }) => node);
    const { at } = this.session;
    const next = direction > 0
      ? places.find((node) => node.depth - 1 > at) ?? places[0]
      : places.findLast((node) => node.depth - 1 < at) ?? places.at(-1);
    this.visit(this.order === 'loss' ? found[direction > 0 ? 0 : found.length - 1].node : next);
  }

  /** Shows the position in which a mistake was made. */
  visit(node) {
    this.host.browse(node.depth - 1);
    announce(byId('note').textContent);
  }

  /** What the position shown has to do with all this: the cursor, the entry of the list, a word about the move. */
  mark() {
    const { next, at } = this.session;
    for (const one of byId('mistakes').querySelectorAll('button')) {
      const here = Number(one.dataset.depth) === at + 1;
      one.setAttribute('aria-current', String(here));
      if (here) one.parentElement.parentElement.scrollTop = one.parentElement.offsetTop - 60;
    }
    const note = byId('note');
    if (!next?.judged || next.judged.value === null) note.textContent = '';
    else note.textContent = this.describe(next);
    this.moveCursor?.(at);
  }

  describe(node) {
    const { loss, best, value } = node.judged;
    const words = (move) => t(`move.${move}`);
    if (loss <= 0) return t('note.best', { number: number(node.depth), move: words(node.move) });
    const kind = classOf(node);
    return t(`note.${kind?.name ?? 'fine'}`, {
      number: number(node.depth), move: words(node.move), best: words(best), loss: number(loss), share: percent(loss / Math.max(Math.abs(value), 1e-9)),
    });
  }

  draw() {
    const known = this.line.slice(1).filter((node) => node.judged && node.judged.value !== null);
    const place = byId('graph');
    place.hidden = known.length < 2;
    if (known.length < 2) { this.moveCursor = null; return; }
    const y = this.inPoints ? expected : (node) => node.judged.value;
    const dots = mistakes(this.line, { order: 'loss' }).slice(0, 200);
    const of = (name) => dots.filter(({ kind }) => kind.name === name).map(({ node }) => [node.depth - 1, y(node)]);
    const series = [
      { name: t(this.inPoints ? 'graph.expected' : 'graph.value'), color: color(1), points: known.map((node) => [node.depth - 1, y(node)]) },
      ...CLASSES.map(({ name }) => ({ name: t(`class.${name}.many`), color: `var(--${name})`, dots: true, radius: name === 'blunder' ? 4 : 3, points: of(name) })),
    ];
    if (this.inPoints) series.splice(1, 0, { name: t('graph.score'), color: color(0), points: known.map((node) => [node.depth - 1, node.parent.score]) });
    this.moveCursor = chart(place, series, {
      height: 190,
      x: t('graph.move'),
      y: t(this.inPoints ? 'graph.points' : 'graph.judgement'),
      zero: this.inPoints,
      marks: milestones(this.line).map(([depth, rank]) => [depth, String(label(this.session.game, rank))]),
      label: t('graph.label', { positions: number(known.length), mistakes: number(dots.length) }),
      cursor: this.session.at,
      onpick: (x) => this.host.browse(Math.round(x)),
    });
  }
}
