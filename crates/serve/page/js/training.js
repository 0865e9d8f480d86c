// Runs as they learn: the curve, the tiles, the evaluations, live from the run directory; and their reports.

import { get } from './api.js';
import { chart, color } from './chart.js';
import { h, number, short, toast } from './dom.js';

export class Training {
  constructor(place) {
    this.place = place;
    this.list = h('ul', { class: 'runs' });
    this.detail = h('div', { class: 'panels' }, h('section', { class: 'panel' }, h('p', {}, 'Choose a run.')));
    place.append(h('div', { class: 'training-grid' }, h('section', { class: 'panel', 'aria-label': 'Runs' }, h('h2', {}, 'Runs'), this.list), this.detail));
  }

  async enter(run) {
    await this.refresh();
    this.timer ??= setInterval(() => this.refresh(), 5000);
    if (run) this.follow(run);
    else if (!this.run && this.runs?.length) this.follow(this.runs[0].name);
  }

  leave() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = null;
    this.run = null;
  }

  async refresh() {
    try {
      ({ runs: this.runs } = await get('runs'));
    } catch (error) {
      toast(error.message, 'error');
      return;
    }
    if (this.runs.length === 0) {
      this.list.replaceChildren(h('li', { class: 'faint' }, 'No runs yet. Start one with: afterstate train'));
      return;
    }
    const focused = document.activeElement?.dataset?.run;
    this.list.replaceChildren(...this.runs.map((run) => h('li', {}, h('button', {
      type: 'button', dataset: { run: run.name }, 'aria-current': String(run.name === this.run), onclick: () => { window.location.hash = `#/training?run=${encodeURIComponent(run.name)}`; },
    }, h('strong', {}, run.name), h('span', { class: 'faint' }, `${run.active ? '● learning, ' : ''}${run.games ? `${short(run.games)} games, ` : ''}${run.mean ? `average ${short(run.mean)}` : 'nothing logged yet'}`)))));
    if (focused) this.list.querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
  }

  async follow(run) {
    if (run === this.run) return;
    this.source?.close();
    this.run = run;
    this.lines = [];
    this.evaluations = [];
    this.active = false;
    for (const button of this.list.querySelectorAll('button')) button.setAttribute('aria-current', String(button.dataset.run === run));
    this.facts = h('div', { class: 'facts' });
    this.curve = h('div', { class: 'chart' });
    this.tiles = h('div', { class: 'chart' });
    this.extra = h('div', {});
    this.detail.replaceChildren(
      h('section', { class: 'panel', 'aria-label': 'Learning curve' }, h('h2', {}, run), this.facts, this.curve),
      h('section', { class: 'panel', 'aria-label': 'Tiles' }, h('h2', {}, 'Share of games that reached a tile'), this.tiles),
      this.extra);
    const address = `/api/v1/runs/${encodeURIComponent(run)}`;
    const source = new EventSource(`${address}/stream`);
    this.source = source;
    source.addEventListener('line', (event) => { this.lines.push(JSON.parse(event.data)); this.soon(); });
    source.addEventListener('evaluation', (event) => { this.evaluations.push(JSON.parse(event.data)); this.soon(); });
    source.addEventListener('reset', () => { this.lines = []; this.evaluations = []; this.soon(); });
    source.addEventListener('state', (event) => { this.active = JSON.parse(event.data).active; this.soon(); });
    source.addEventListener('error', () => { if (source.readyState === EventSource.CLOSED) toast(`The run ${run} cannot be followed`, 'error'); });
    try {
      const details = await get(`runs/${encodeURIComponent(run)}`);
      if (this.run === run) this.showDetails(details, address);
    } catch (error) {
      toast(error.message, 'error');
    }
  }

  showDetails(details, address) {
    const parts = [];
    if (details.files.includes('report.html')) {
      parts.push(h('section', { class: 'panel', 'aria-label': 'Report' }, h('h2', {}, 'Report'),
        h('iframe', { class: 'report', title: `Report of ${details.name}`, sandbox: '', src: `${address}/files/report.html` })));
    }
    const figures = details.files.filter((file) => file.startsWith('figures/'));
    if (figures.length) {
      parts.push(h('section', { class: 'panel', 'aria-label': 'Figures' }, h('h2', {}, 'Figures'),
        ...figures.map((file) => h('img', { src: `${address}/files/${file}`, alt: file.replace(/^figures\//, '') }))));
    }
    parts.push(h('details', { class: 'panel' }, h('summary', {}, 'Recipe'), h('pre', { tabindex: '0', 'aria-label': 'Recipe' }, details.config)));
    this.extra.replaceChildren(...parts);
    this.extra.className = 'panels';
  }

  /** Many lines arrive at once: draw when they have. */
  soon() {
    this.drawing ??= setTimeout(() => { this.drawing = undefined; this.draw(); }, 80);
  }

  draw() {
    const fine = this.lines.filter((line) => line.window === 1000);
    const shown = fine.length ? fine : this.lines;
    const last = shown.at(-1);
    const fact = (title, value) => h('div', { class: 'box' }, h('h2', {}, title), h('output', {}, value));
    const facts = [fact('State', this.active ? 'learning' : 'at rest')];
    if (last) {
      facts.push(fact('Games', short(last.games)), fact('Average', number(Math.round(last.mean))), fact('Best game', number(last.max)),
        fact('Moves/s', short(last.moves / Math.max(last.seconds, 1e-9))), fact('Time', time(last.seconds)));
    }
    this.facts.replaceChildren(...facts);
    const evaluated = this.evaluations
      .filter((one) => Number.isFinite(one.after_games) && one.score && (one.ply ?? 1) === 1 && !one.final)
      .map((one) => [one.after_games, typeof one.score === 'number' ? one.score : one.score.mean]);
    chart(this.curve, [
      { name: 'average while learning', color: color(0), points: shown.map((line) => [line.games, line.mean]) },
      { name: 'greedy play', color: color(1), dots: true, points: evaluated.filter(([, score]) => Number.isFinite(score)) },
    ], { zero: true, label: last ? `Average score over games, now ${number(Math.round(last.mean))} after ${number(last.games)} games` : 'Learning curve' });
    this.drawTiles(shown);
  }

  /** The largest tiles that some games reach and others do not. */
  drawTiles(lines) {
    const last = lines.at(-1);
    if (!last) return;
    const known = [...new Set(lines.flatMap((line) => line.tiles.map(([tile]) => tile)))].sort((a, b) => a - b);
    const largest = known.slice(-6);
    // A tile that is missing from a line was reached by all its games, or by none if larger ones are missing too.
    const rate = (line, tile) => {
      const found = line.tiles.find(([one]) => one === tile);
      if (found) return found[1];
      return tile > Math.max(0, ...line.tiles.map(([one]) => one)) ? 0 : 1;
    };
    chart(this.tiles, largest.map((tile, i) => ({
      name: String(tile), color: color(i), points: lines.map((line) => [line.games, rate(line, tile)]),
    })), { zero: true, percent: true, label: `Share of games reaching ${largest.join(', ')}: now ${largest.map((tile) => `${tile} ${(rate(last, tile) * 100).toFixed(1)} %`).join(', ')}` });
  }
}

function time(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 2 ? `${Math.round(seconds)} s` : minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

