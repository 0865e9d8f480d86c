// Line charts in SVG: curves, dots, a cursor. Long curves are thinned to what a screen can show.

import { h, short } from './dom.js';

const LEFT = 46;
const RIGHT = 20;
const TOP = 10;
const BOTTOM = 22;

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

/**
 * Draws `series` (`{name, points: [[x, y]…], color, dots}`) into a place.
 * `options`: `height`, `label` for those who do not see it, `zero` to begin at 0, `cursor`, `onpick(x)`, `percent`.
 */
export function chart(place, series, options = {}) {
  const all = series.flatMap((one) => one.points);
  if (all.length === 0) {
    place.replaceChildren();
    return;
  }
  // One unit is one pixel, so that letters keep their shape.
  const WIDTH = Math.max(260, place.clientWidth || 640);
  const HEIGHT = options.height ?? 240;
  let [x0, x1, y0, y1] = [Infinity, -Infinity, options.zero ? 0 : Infinity, options.percent ? 1 : -Infinity];
  for (const [x, y] of all) {
    x0 = Math.min(x0, x); x1 = Math.max(x1, x);
    y0 = Math.min(y0, y); y1 = Math.max(y1, y);
  }
  if (x1 === x0) x1 = x0 + 1;
  if (y1 === y0) { y1 += 1; if (!options.zero) y0 -= 1; }
  const x = (value) => LEFT + ((value - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - ((value - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const svg = h('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': options.label ?? 'Chart' });
  for (const tick of ticks(y0, y1, 4)) {
    svg.append(
      h('line', { class: 'axis', x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
      h('text', { x: LEFT - 5, y: y(tick) + 4, 'text-anchor': 'end' }, options.percent ? `${+(tick * 100).toFixed(1)}%` : short(tick)),
    );
  }
  for (const tick of ticks(x0, x1, 5)) {
    svg.append(h('text', { x: x(tick), y: HEIGHT - 6, 'text-anchor': 'middle' }, short(tick)));
  }
  for (const one of series) {
    if (one.dots) {
      for (const [px, py] of one.points) {
        const dot = h('circle', { class: 'dot', cx: x(px), cy: y(py), r: one.radius ?? 3.5 });
        dot.style.fill = one.color;
        svg.append(dot);
      }
    } else {
      const line = h('polyline', { class: 'curve', points: thin(one.points).map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ') });
      line.style.stroke = one.color;
      svg.append(line);
    }
  }
  if (options.cursor !== undefined) {
    svg.append(h('line', { class: 'cursor', x1: x(options.cursor), x2: x(options.cursor), y1: TOP, y2: HEIGHT - BOTTOM }));
  }
  if (options.onpick) {
    const pick = (event) => {
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width) * WIDTH;
      options.onpick(x0 + ((share - LEFT) / (WIDTH - LEFT - RIGHT)) * (x1 - x0));
    };
    svg.addEventListener('pointerdown', pick);
    svg.addEventListener('pointermove', (event) => { if (event.buttons & 1) pick(event); });
  }
  const named = series.filter((one) => one.name && one.points.length);
  const legend = h('ul', { class: 'legend' }, ...named.map((one) => {
    const swatch = h('i');
    swatch.style.background = one.color;
    return h('li', {}, swatch, one.name);
  }));
  place.replaceChildren(svg, ...(named.length > 1 ? [legend] : []));
}

/** The colours of curves, as the theme has them. */
export const color = (i) => `var(--serie-${(i % 6) + 1})`;
