// Runs as they learn: curves side by side, tiles, evaluations with their intervals, live from the run directories.

import { backend, connection } from './api.js';
import { chart, color, smooth } from './chart.js';
import { byId, h, kept, number, option, percent, short, toast } from './dom.js';
import { t } from './words.js';

/** How many curves lie over each other at most: as many as there are colours. */
const MOST = 6;

/** What is known of a run that is followed. */
class Followed {
  constructor(name, changed) {
    this.name = name;
    this.lines = [];
    this.evaluations = [];
    this.active = false;
    this.close = backend.follow(name, {
      line: (line) => { this.lines.push(line); changed(); },
      evaluation: (one) => { this.evaluations.push(one); changed(); },
      reset: () => { this.lines = []; this.evaluations = []; changed(); },
      state: ({ active }) => { this.active = active; changed(); },
      refused: () => toast(t('training.refused', { run: name }), 'error'),
    });
  }

  /** Means of 1,000 games where there are any: one kind of line only. */
  get shown() {
    const fine = this.lines.filter((line) => line.window === 1000);
    return fine.length ? fine : this.lines;
  }

  /** Greedy play on the way: games learned, mean, and the interval of 95 %. */
  evaluated(x) {
    return this.evaluations
      .filter((one) => Number.isFinite(one.after_games) && one.score && (one.ply ?? 1) === 1 && !one.final)
      .map((one) => {
        const mean = typeof one.score === 'number' ? one.score : one.score.mean;
        const [low, high] = one.score.ci95 ?? [undefined, undefined];
        return [x(one.after_games), mean, low, high];
      })
      .filter(([at, mean]) => Number.isFinite(at) && Number.isFinite(mean))
      .sort((a, b) => a[0] - b[0]);
  }
}

export class Training {
  constructor(place) {
    this.runs = [];
    this.followed = new Map();
    this.list = h('ul', { class: 'runs' });
    this.facts = h('div', { class: 'facts' });
    this.curve = h('div', { class: 'chart' });
    this.tiles = h('div', { class: 'chart' });
    this.extra = h('div', { class: 'panels' });
    this.title = h('h2', {}, '');
    this.actions = h('div', { class: 'row' });
    this.axis = h('select', { onchange: () => this.draw() }, option('games', t('training.games')), option('seconds', t('training.time')));
    this.width = h('input', { type: 'range', min: '0', max: '6', step: '1', value: String(kept.read('smoothing', 0)), oninput: () => { kept.write('smoothing', Number(this.width.value)); this.draw(); } });
    this.widthText = h('output');
    this.about = h('p', { class: 'faint' });
    this.detail = h('div', { class: 'panels', hidden: true },
      h('section', { class: 'panel', 'aria-label': t('training.curve') }, this.title, this.facts, this.actions, this.curve, this.about,
        h('div', { class: 'row' }, h('label', {}, t('training.axis'), this.axis), h('label', {}, t('training.smooth'), this.width), this.widthText)),
      h('section', { class: 'panel', 'aria-label': t('training.tiles') }, h('h2', {}, t('training.tiles')), this.tiles),
      this.extra);
    this.how = h('p', { class: 'faint' }, t('training.about'));
    this.grid = h('div', { class: 'training-grid' }, h('section', { class: 'panel', 'aria-label': t('training.runs') }, h('h2', {}, t('training.runs')), this.how, this.list), this.detail);
    place.append(this.grid);
    connection.addEventListener('change', () => { if (connection.up && this.timer) this.refresh(); });
    window.addEventListener('resize', () => { if (this.timer) this.soon(); });
  }

  async enter(run) {
    this.timer ??= setInterval(() => { if (connection.up) this.refresh(); }, 5000);
    if (this.runs.length === 0) this.list.replaceChildren(h('li', { class: 'faint' }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), ` ${t('training.loading')}`));
    await this.refresh();
    const wanted = run ?? this.run ?? this.runs[0]?.name;
    if (wanted && this.timer) this.choose(wanted);
  }

  leave() {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const one of this.followed.values()) one.close();
    this.followed.clear();
  }

  async refresh() {
    try {
      this.runs = await backend.runs();
    } catch (error) {
      if (!error.lost) toast(error.message, 'error');
      else if (this.runs.length === 0) this.list.replaceChildren(h('li', { class: 'faint' }, t('values.lost')));
      return;
    }
    this.drawList();
  }

  drawList() {
    const none = this.runs.length === 0;
    this.how.hidden = none;
    this.grid.classList.toggle('empty', none);
    if (none) {
      this.list.replaceChildren(h('li', {}, h('p', {}, t('training.none')), h('pre', { tabindex: '0' }, 'afterstate train quick'), h('p', { class: 'faint' }, t('training.none.about'))));
      this.detail.hidden = true;
      return;
    }
    const focused = document.activeElement?.dataset?.focus;
    this.list.replaceChildren(...this.runs.map((run) => {
      const check = h('input', { type: 'checkbox', checked: this.followed.has(run.name), 'aria-label': t('training.overlay', { run: run.name }), dataset: { focus: `check ${run.name}` }, onchange: () => this.overlay(run.name, check.checked) });
      const swatch = h('i', { class: 'swatch-line' });
      swatch.style.background = this.followed.has(run.name) ? this.colorOf(run.name) : 'transparent';
      return h('li', { class: 'run' }, check, h('button', {
        type: 'button', dataset: { run: run.name, focus: `run ${run.name}` }, 'aria-current': String(run.name === this.run), onclick: () => { window.location.hash = `#/training?run=${encodeURIComponent(run.name)}`; },
      }, h('strong', {}, swatch, run.name), h('span', { class: 'faint' }, [run.active ? t('training.learning') : '', run.games ? t('training.done', { games: short(run.games) }) : '', run.mean ? t('training.mean', { mean: short(run.mean) }) : t('training.nothing')].filter(Boolean).join(', '))));
    }));
    if (focused) this.list.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  colorOf(name) { return color([...this.followed.keys()].indexOf(name)); }

  /** Lays a run over the others, or takes it away. */
  overlay(name, on) {
    if (on && this.followed.size >= MOST) {
      toast(t('training.most', { most: MOST }));
      on = false;
    }
    if (on && !this.followed.has(name)) this.followed.set(name, new Followed(name, () => this.soon()));
    else if (!on && name !== this.run) {
      this.followed.get(name)?.close();
      this.followed.delete(name);
    }
    this.drawList();
    this.soon();
  }

  /** The run whose facts are told. */
  async choose(run) {
    const before = this.run;
    this.run = run;
    if (before && before !== run && this.followed.size >= MOST) this.overlay(before, false);
    this.detail.hidden = false;
    this.title.textContent = run;
    this.actions.replaceChildren();
    this.extra.replaceChildren();
    this.overlay(run, true);
    try {
      const details = await backend.run(run);
      if (this.run === run) this.showDetails(details);
    } catch (error) {
      if (!error.lost) toast(error.message, 'error');
    }
  }

  showDetails(details) {
    const { name } = details;
    const parts = [];
    if (details.model) {
      const address = (words) => `#/play?game=${encodeURIComponent(details.game ?? '2048')}&model=${encodeURIComponent(details.model)}${words}`;
      this.actions.replaceChildren(h('a', { class: 'button', href: address('&watch') }, t('training.watch')), h('a', { class: 'button', href: address('') }, t('training.play')));
    }
    if (details.files.includes('report.html')) {
      const src = backend.fileAddress(name, 'report.html');
      parts.push(h('section', { class: 'panel', 'aria-label': t('training.report') },
        h('div', { class: 'panel-head' }, h('h2', {}, t('training.report')), h('a', { href: src, target: '_blank', rel: 'noopener' }, t('training.report.open'))),
        h('iframe', { class: 'report', title: t('training.report.of', { run: name }), sandbox: '', src })));
    }
    // A report shows its figures itself, and every figure is there as SVG and as PNG.
    const all = details.files.filter((file) => file.startsWith('figures/'));
    const figures = all.filter((file) => !all.includes(file.replace(/\.png$/, '.svg')) || file.endsWith('.svg'));
    if (figures.length && !details.files.includes('report.html')) {
      parts.push(h('section', { class: 'panel', 'aria-label': t('training.figures') }, h('h2', {}, t('training.figures')),
        ...figures.map((file) => h('img', { class: 'figure', src: backend.fileAddress(name, file), alt: file.replace(/^figures\//, '') }))));
    }
    parts.push(h('details', { class: 'panel' }, h('summary', {}, t('training.recipe')), h('pre', { tabindex: '0', 'aria-label': t('training.recipe') }, details.config)));
    this.extra.replaceChildren(...parts);
  }

  /** Many lines arrive at once: draw when they have. */
  soon() {
    this.drawing ??= setTimeout(() => { this.drawing = undefined; if (!byId('view-training').hidden) this.draw(); }, 80);
  }

  draw() {
    const main = this.followed.get(this.run);
    if (!main) return;
    const last = main.shown.at(-1);
    this.drawFacts(main, last);
    const width = [1, 3, 5, 9, 17, 33, 65][Number(this.width.value)];
    const words = width === 1 ? t('training.smooth.none') : t('training.smooth.over', { width });
    this.widthText.textContent = words;
    this.width.setAttribute('aria-valuetext', words);
    const series = [];
    for (const one of this.followed.values()) {
      const own = one.shown;
      const x = (line) => (this.axis.value === 'games' ? line.games : line.seconds);
      const points = own.map((line) => [x(line), line.mean]);
      const several = this.followed.size > 1;
      if (width > 1) series.push({ name: one.name, color: this.colorOf(one.name), points, faint: true });
      series.push({ name: several ? one.name : t('training.average'), color: this.colorOf(one.name), points: smooth(points, width) });
      const when = (games) => (this.axis.value === 'games' ? games : own.find((line) => line.games >= games)?.seconds);
      const dots = one.evaluated(when);
      series.push({ name: several ? '' : t('training.greedy'), color: several ? this.colorOf(one.name) : color(1), dots: true, points: dots });
    }
    chart(this.curve, series, {
      zero: true,
      x: t(this.axis.value === 'games' ? 'training.x.games' : 'training.x.time'),
      y: t('training.y'),
      label: last ? t('training.label', { mean: number(Math.round(last.mean)), games: number(last.games) }) : t('training.curve'),
    });
    this.about.textContent = this.followed.size > 1 ? t('training.dots') : '';
    this.drawTiles(main.shown);
  }

  drawFacts(main, last) {
    const fact = (title, value) => h('div', { class: 'box' }, h('h3', {}, title), h('output', {}, value));
    const facts = [fact(t('training.state'), t(main.active ? 'training.active' : 'training.rest'))];
    if (last) {
      facts.push(fact(t('training.games'), short(last.games)), fact(t('training.average.short'), number(Math.round(last.mean))), fact(t('training.best'), number(last.max)),
        fact(t('training.speed'), short(last.moves / Math.max(last.seconds, 1e-9))), fact(t('training.time.short'), time(last.seconds)));
    }
    this.facts.replaceChildren(...facts);
  }

  /** The largest tiles that some games reach and others do not. */
  drawTiles(lines) {
    const last = lines.at(-1);
    if (!last) { this.tiles.replaceChildren(); return; }
    const known = [...new Set(lines.flatMap((line) => line.tiles.map(([tile]) => tile)))].sort((a, b) => a - b);
    const largest = known.slice(-6);
    // A tile that is missing from a line was reached by all its games, or by none if larger ones are missing too.
    const rate = (line, tile) => {
      const found = line.tiles.find(([one]) => one === tile);
      if (found) return found[1];
      return tile > Math.max(0, ...line.tiles.map(([one]) => one)) ? 0 : 1;
    };
    chart(this.tiles, largest.map((tile, i) => ({
      name: `${number(tile)}: ${percent(rate(last, tile))}`, color: color(i), points: lines.map((line) => [line.games, rate(line, tile)]),
    })), {
      zero: true, percent: true, x: t('training.x.games'), y: t('training.y.tiles'),
      label: largest.map((tile) => `${tile}: ${percent(rate(last, tile))}`).join(', '),
    });
  }
}

function time(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 2 ? `${Math.round(seconds)} s` : minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
