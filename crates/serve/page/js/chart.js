// Line charts in SVG: curves, bands, dots with intervals, marks, a cursor. Long curves are thinned to what a screen can show.

import { h, short } from './dom.js';

const LEFT = 58;
const RIGHT = 16;
const TOP = 18;
const BOTTOM = 36;

/** Round numbers that divide a range into a few parts. */
function ticks(low, high, count) {
  const span = high - low || 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push(value);
  return found;
}

/** At most two points per column: the smallest and the largest. */
function thin(points, columns = 400) {
  if (points.length <= columns * 2) return points;
  const kept = [];
  for (let i = 0; i < columns; i += 1) {
    const part = points.slice(Math.floor((i * points.length) / columns), Math.floor(((i + 1) * points.length) / columns));
    const low = part.reduce((a, b) => (b[1] < a[1] ? b : a));
    const high = part.reduce((a, b) => (b[1] > a[1] ? b : a));
    kept.push(...(low === high ? [low] : [low, high].sort((a, b) => a[0] - b[0])));
  }
  return kept;
}

/** Each value with its neighbours: the mean of `width` of them, fewer at the ends. */
export function smooth(points, width) {
  if (width <= 1) return points;
  const half = Math.floor(width / 2);
  return points.map(([x], i) => {
    const part = points.slice(Math.max(0, i - half), i + half + 1);
    return [x, part.reduce((sum, [, y]) => sum + y, 0) / part.length];
  });
}

/**
 * Draws `series` (`{name, points: [[x, y, low?, high?]…], color, dots, faint}`) into a place.
 * `options`: `height`, `x` and `y` to name the axes, `label` for those who do not see it, `zero` to begin at 0,
 * `marks` (`[x, text]`), `cursor`, `onpick(x)`, `percent`. Answers a function that moves the cursor.
 */
export function chart(place, series, options = {}) {
  const all = series.flatMap((one) => one.points);
  if (all.length === 0) {
    place.replaceChildren();
    return () => {};
  }
  // One unit is one pixel, so that letters keep their shape.
  const WIDTH = Math.max(260, place.clientWidth || 640);
  const HEIGHT = options.height ?? 250;
  let [x0, x1, y0, y1] = [Infinity, -Infinity, options.zero ? 0 : Infinity, options.percent ? 1 : -Infinity];
  for (const [px, py, low = py, high = py] of all) {
    x0 = Math.min(x0, px); x1 = Math.max(x1, px);
    y0 = Math.min(y0, low); y1 = Math.max(y1, high);
  }
  if (x1 === x0) x1 = x0 + 1;
  if (y1 === y0) { y1 += 1; if (!options.zero) y0 -= 1; }
  const x = (value) => LEFT + ((value - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - ((value - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const svg = h('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, height: HEIGHT, role: 'img', 'aria-label': options.label ?? options.y ?? '' });
  for (const tick of ticks(y0, y1, 4)) {
    svg.append(
      h('line', { class: 'axis', x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
      h('text', { x: LEFT - 5, y: y(tick) + 4, 'text-anchor': 'end' }, options.percent ? `${+(tick * 100).toFixed(1)}%` : short(tick)),
    );
  }
  for (const tick of ticks(x0, x1, Math.min(6, Math.floor(WIDTH / 80)))) {
    svg.append(h('text', { x: x(tick), y: HEIGHT - BOTTOM + 14, 'text-anchor': 'middle' }, short(tick)));
  }
  if (options.x) svg.append(h('text', { class: 'name', x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, 'text-anchor': 'middle' }, options.x));
  if (options.y) svg.append(h('text', { class: 'name', x: 12, y: (TOP + HEIGHT - BOTTOM) / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${(TOP + HEIGHT - BOTTOM) / 2})` }, options.y));
  drawMarks(svg, options.marks ?? [], x, HEIGHT, WIDTH);
  for (const one of series) {
    if (one.dots) {
      for (const [px, py, low, high] of one.points) {
        if (low !== undefined) {
          const bar = h('line', { class: 'interval', x1: x(px), x2: x(px), y1: y(low), y2: y(high) });
          bar.style.stroke = one.color;
          svg.append(bar);
        }
        const dot = h('circle', { class: 'dot', cx: x(px).toFixed(1), cy: y(py).toFixed(1), r: one.radius ?? 3.5 });
        dot.style.fill = one.color;
        svg.append(dot);
      }
    } else {
      const line = h('polyline', { class: one.faint ? 'curve faint-curve' : 'curve', points: thin(one.points).map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ') });
      line.style.stroke = one.color;
      svg.append(line);
    }
  }
  const cursor = h('line', { class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM });
  const point = (value) => {
    const at = x(Math.max(x0, Math.min(x1, value)));
    cursor.setAttribute('x1', at);
    cursor.setAttribute('x2', at);
  };
  if (options.cursor !== undefined) {
    point(options.cursor);
    svg.append(cursor);
  }
  if (options.onpick) {
    const pick = (event) => {
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width) * WIDTH;
      options.onpick(Math.max(x0, Math.min(x1, x0 + ((share - LEFT) / (WIDTH - LEFT - RIGHT)) * (x1 - x0))));
    };
    svg.addEventListener('pointerdown', pick);
    svg.addEventListener('pointermove', (event) => { if (event.buttons & 1) pick(event); });
  }
  const named = series.filter((one) => one.name && one.points.length && !one.faint);
  const legend = h('ul', { class: 'legend' }, ...named.map((one) => {
    const swatch = h('i', { class: one.dots ? 'round' : '' });
    swatch.style.background = one.color;
    return h('li', {}, swatch, one.name);
  }));
  place.replaceChildren(svg, ...(named.length > 1 ? [legend] : []));
  return point;
}

/** Upright lines with a word at the top; words that would lie on others are left out. */
function drawMarks(svg, marks, x, height, width) {
  let free = width;
  for (const [at, text] of [...marks].sort((a, b) => b[0] - a[0])) {
    const here = x(at);
    svg.append(h('line', { class: 'mark', x1: here, x2: here, y1: TOP, y2: height - BOTTOM }));
    const half = text.length * 3.6 + 2;
    if (here + half > free || here - half < LEFT) continue;
    svg.append(h('text', { class: 'mark-text', x: here, y: TOP - 6, 'text-anchor': 'middle' }, text));
    free = here - half;
  }
}

/** The colours of curves, as the theme has them. */
export const color = (i) => `var(--serie-${(i % 6) + 1})`;
