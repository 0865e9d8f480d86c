// Positions and games in the address: #/play?game=2048&p=1210/… and #/play?game=…&p=START&g=MOVES&at=N.

const SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LETTERS = ['u', 'r', 'd', 'l'];

/** Eighteen bits a move: direction, cell, rank, hint. */
export function packGame(steps) {
  return steps.map(({ move, spawn: [cell, rank, hint] }) => {
    const bits = (LETTERS.indexOf(move[0]) << 16) | (cell << 10) | (rank << 4) | hint;
    return SYMBOLS[bits >> 12] + SYMBOLS[(bits >> 6) & 63] + SYMBOLS[bits & 63];
  }).join('');
}

/** The inverse; `null` for what is none. */
export function unpackGame(text) {
  if (text.length % 3 !== 0) return null;
  let moves = '';
  const spawns = [];
  for (let i = 0; i < text.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((j) => SYMBOLS.indexOf(text[i + j]));
    if (a < 0 || b < 0 || c < 0) return null;
    const bits = (a << 12) | (b << 6) | c;
    moves += LETTERS[bits >> 16];
    spawns.push([(bits >> 10) & 63, (bits >> 4) & 63, bits & 15]);
  }
  return { moves, spawns };
}

const link = (words) => `#/play?${words.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%3D', '=')}`).join('&')}`;

export const positionLink = (session) => link([['game', session.game.name], ['p', session.position]]);

export const gameLink = (session) => link([
  ['game', session.game.name], ['p', session.nodes[0].position], ['g', packGame(session.steps)], ['at', session.at],
]);

/** What the address asks for: a view, and for games what they are. */
export function readAddress(hash = window.location.hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  const words = new URLSearchParams(query);
  return { view: path.split('/')[0] || 'play', game: words.get('game'), position: words.get('p'), moves: words.get('g'), at: words.get('at'), run: words.get('run'), auto: words.has('watch') };
}
