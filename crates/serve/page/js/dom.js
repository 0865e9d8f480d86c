// Making elements, numbers as people read them, and speaking to people who cannot see.

/** An element with attributes and children; `on…` are listeners, `class` and `dataset` as usual. */
export function h(tag, attributes = {}, ...children) {
  const element = svgTags.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name === 'value' || name === 'checked' || name === 'selected') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const svgTags = new Set(['svg', 'path', 'line', 'circle', 'rect', 'text', 'g', 'polyline', 'polygon', 'title']);

export const byId = (id) => document.getElementById(id);

export const button = (text, onclick, attributes = {}) => h('button', { type: 'button', onclick, ...attributes }, text);

export const option = (value, text, selected = false) => h('option', { value, selected }, text);

/** Says something through the live region. */
export function announce(text) {
  const region = byId('live');
  // The same words twice in a row would not be spoken again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

let toastTimer = 0;

/** Takes the message away: what it was about is no longer in view. */
export function noToast() {
  clearTimeout(toastTimer);
  byId('toast').hidden = true;
}

/** A message at the lower edge that goes away by itself; `action` is `[text, does]`, a button in it. */
export function toast(text, kind = 'info', action = null) {
  const place = byId('toast');
  const hide = () => { place.hidden = true; };
  const act = action && button(action[0], () => { hide(); action[1](); });
  place.replaceChildren(h('span', {}, text), ...(act ? [act] : []));
  place.dataset.kind = kind;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hide, kind === 'error' || action ? 10_000 : 4000);
  announce(text);
}

/** Whether a key press belongs to a field rather than to the game. */
export function isTyping(target) {
  if (!(target instanceof Element)) return false;
  if (target.closest('textarea, select, [contenteditable]')) return true;
  const input = target.closest('input');
  return Boolean(input) && !['checkbox', 'button'].includes(input.type);
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A number as people read it. */
export const number = (value) => (Math.abs(value) < 100 && value % 1 !== 0 ? fine : whole).format(value);

/** A share as a percentage: one decimal where it matters; number and sign stay on one line. */
export function percent(share) {
  const value = share * 100;
  return `${value > 0.05 && value < 99.95 && value % 1 !== 0 ? value.toFixed(1) : Math.round(value)}\u00a0%`;
}

/** `1.25M`, `12.5k`, `340k`: digits enough for every second tick of an axis. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${+(value / 1e6).toFixed(size >= 1e7 ? 1 : 2)}M`;
  if (size >= 1e3) return `${+(value / 1e3).toFixed(size >= 1e5 ? 0 : 1)}k`;
  return `${+value.toFixed(size >= 10 ? 0 : 2)}`;
}

/** Copies a text; where the browser forbids it, says so. */
export async function copy(text, done, failed) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(failed);
  }
}

/** What is kept between visits. A browser that forbids it keeps nothing, and the page goes on. */
export const kept = {
  read(key, otherwise = null) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};
