// What the page must know of the games to show them: names, labels, notation, and where tiles slide.
// Chance is the server's: this file knows no probability.

export const DIRECTIONS = ['up', 'right', 'down', 'left'];
export const ARROWS = { up: '↑', right: '→', down: '↓', left: '←' };

export const FAMILIES = [
  { name: '2048', threes: false },
  { name: '1024', threes: false },
  { name: 'threes', threes: true, cap: 14, bag: 4 },
  { name: 'threes-app', threes: true, cap: 15, bag: 4 },
  { name: 'threes-course', threes: true, cap: 14, bag: 1 },
];

/** `threes-2x3` → its family and board; `variant` are options in which it differs from the usual game. */
export function parseGame(name, variant = undefined) {
  const match = /^(2048|1024|threes-app|threes-course|threes)(?:-([1-8])x([1-8]))?$/.exec(name);
  if (!match) return parseGame('2048', variant);
  const family = FAMILIES.find((known) => known.name === match[1]);
  const rows = Number(match[2] ?? 4);
  const cols = Number(match[3] ?? 4);
  const told = Object.entries(variant ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const game = { name: gameName(family.name, rows, cols), family, rows, cols, variant: told.length ? Object.fromEntries(told) : undefined };
  if (game.variant?.merge_cap) game.cap = rankOf(game, game.variant.merge_cap);
  return game;
}

/** The rank of the tile with a number on it. */
export const rankOf = (game, tile) => Array.from({ length: 60 }, (_, rank) => rank).find((rank) => label(game, rank) >= tile) ?? 60;

/** A short text that is the same for the same game. */
export const gameKey = (game) => [game.name, ...Object.entries(game.variant ?? {}).map(([key, value]) => `${key}=${value}`)].join(' ');

export const gameName = (family, rows, cols) => (rows === 4 && cols === 4 ? family : `${family}-${rows}x${cols}`);

/** The number on a tile. */
export function label(game, rank) {
  if (rank === 0) return 0;
  if (game.family.threes) return rank <= 3 ? rank : 3 * 2 ** (rank - 3);
  return 2 ** (game.family.name === '1024' ? rank - 1 : rank);
}

/** `1210/3302/0043/5512 bag=1,2,3 hint=2` → cells and the words after them. */
export function parsePosition(text) {
  const [board, ...words] = text.trim().split(/\s+/);
  const cells = [];
  for (const [, inBrackets, digit] of board.matchAll(/\((\d+)\)|([0-9a-z])/gi)) {
    cells.push(inBrackets ? Number(inBrackets) : parseInt(digit, 36));
  }
  const extra = {};
  for (const word of words) {
    const [key, value] = word.split('=');
    extra[key] = value;
  }
  return { cells, extra };
}

/** The inverse. */
export function formatPosition(game, cells, extra = {}) {
  const digit = (rank) => (rank < 36 ? rank.toString(36) : `(${rank})`);
  const rows = [];
  for (let r = 0; r < game.rows; r += 1) {
    rows.push(cells.slice(r * game.cols, (r + 1) * game.cols).map(digit).join(''));
  }
  const words = Object.entries(extra).filter(([, value]) => value).map(([key, value]) => `${key}=${value}`);
  return [rows.join('/'), ...words].join(' ');
}

/** The cells of every line as a slide meets them: the wall first. */
function linesOf({ rows, cols }, direction) {
  const lines = [];
  const across = direction === 'left' || direction === 'right';
  for (let i = 0; i < (across ? rows : cols); i += 1) {
    const line = [];
    for (let j = 0; j < (across ? cols : rows); j += 1) line.push(across ? i * cols + j : j * cols + i);
    lines.push(direction === 'right' || direction === 'down' ? line.reverse() : line);
  }
  return lines;
}

/** Where every tile goes: the new cells, and `{from, to, merged}` for each tile. */
export function slide(game, cells, direction) {
  const after = new Array(cells.length).fill(0);
  const paths = [];
  const merge = game.family.threes ? slideThrees : slide2048;
  for (const line of linesOf(game, direction)) merge(game, cells, line, after, paths);
  return { cells: after, paths, moved: paths.some(({ from, to }) => from !== to) };
}

function slide2048(game, cells, line, after, paths) {
  let next = 0;
  let free = false; // whether the tile before may still merge
  for (const from of line) {
    const rank = cells[from];
    if (rank === 0) continue;
    if (free && after[line[next - 1]] === rank && rank < (game.cap ?? 60)) {
      after[line[next - 1]] += 1;
      paths.push({ from, to: line[next - 1], merged: true });
      free = false;
    } else {
      after[line[next]] = rank;
      paths.push({ from, to: line[next], merged: false });
      next += 1;
      free = true;
    }
  }
}

function slideThrees(game, cells, line, after, paths) {
  const fits = (a, b) => (a <= 2 ? a + b === 3 : a === b && a < game.family.cap);
  for (const [i, from] of line.entries()) {
    const rank = cells[from];
    if (rank === 0) continue;
    const ahead = i > 0 ? line[i - 1] : -1;
    if (ahead >= 0 && after[ahead] === 0) {
      after[ahead] = rank;
      paths.push({ from, to: ahead, merged: false });
    } else if (ahead >= 0 && fits(after[ahead], rank)) {
      after[ahead] = after[ahead] <= 2 ? 3 : rank + 1;
      paths.push({ from, to: ahead, merged: true });
    } else {
      after[from] = rank;
      paths.push({ from, to: from, merged: false });
    }
  }
}
