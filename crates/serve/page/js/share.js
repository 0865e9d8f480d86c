// Games as short texts, and in the address: #/play?game=2048&p=1210/… and #/play?game=…&p=START&g=MOVES&at=N&v=….

const SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LETTERS = ['u', 'r', 'd', 'l'];

/** Eighteen bits a move: direction, cell, rank, hint. */
export function packGame(nodes) {
  return nodes.map(({ move, spawn: [cell, rank, hint] }) => {
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

/** A tree of moves as plain data: the game, where it began, and a packed text for each line. */
export function packTree(session) {
  const lines = session.lines();
  const shown = lines.findIndex(({ nodes }) => nodes.length && session.line.at(-1) === nodes.at(-1));
  return {
    ...session.rules,
    start: session.root.position,
    lines: lines.map(({ from, nodes }) => ({ from, g: packGame(nodes), ai: runsOf(nodes) })),
    shown: Math.max(0, shown),
    at: session.at,
    browsing: session.browsing,
    origin: session.origin,
    reach: session.reach || undefined,
  };
}

/** How many moves in a row the person made, then the AI, then the person …; nothing for a game of the person alone. */
function runsOf(nodes) {
  const runs = [0];
  let ai = false;
  for (const node of nodes) {
    if (node.ai !== ai) { runs.push(0); ai = node.ai; }
    runs[runs.length - 1] += 1;
  }
  return runs.length > 1 ? runs : undefined;
}

/** The inverse: who made each move. */
function makerOf(runs = []) {
  const ends = [];
  let sum = 0;
  for (const run of runs) ends.push(sum += run);
  return (i) => ends.findIndex((end) => i < end) % 2 === 1;
}

/** Fills a session from packed data. `track(record)` tells all positions of a record. */
export async function unpackTree(session, packed, track) {
  const { game, variant, start } = packed;
  const first = packed.lines[0];
  const whole = await track({ game, variant, start, ...steps(first?.g ?? '') });
  session.start(whole.game, whole.start, whole.start_score, { variant: whole.variant ?? variant, origin: packed.origin });
  session.append(whole, makerOf(first?.ai));
  const known = [[session.root, ...session.line.slice(1)]];
  for (const { from: [number, depth], g, ai } of packed.lines.slice(1)) {
    const line = known[number];
    const fork = line[depth - line[0].depth];
    session.show(fork);
    session.browsing = true;
    session.append(await track({ game, variant, start: fork.position, ...steps(g) }), makerOf(ai));
    known.push([fork, ...session.line.slice(fork.depth + 1)]);
  }
  const shown = known[packed.shown ?? 0] ?? known[0];
  session.show(shown.at(-1));
  session.at = Math.max(0, Math.min(session.length, packed.at ?? session.length));
  session.browsing = Boolean(packed.browsing);
  session.reach = packed.reach ?? 0;
}

function steps(g) {
  const found = unpackGame(g);
  if (!found) throw new Error('the moves are damaged');
  return found;
}

const encode = (value) => encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%3D', '=').replaceAll('%3A', ':');
const link = (words) => `#/play?${words.filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${encode(value)}`).join('&')}`;

const rulesOf = ({ game }) => [['game', game.name], ...['spawn', 'start_tiles', 'merge_cap'].map((key) => [key, game.variant?.[key]])];

export const positionLink = (session) => link([...rulesOf(session), ['p', session.position]]);

/** A variation is `LINE.MOVE.MOVES`: which line it leaves, after which move. */
export function gameLink(session) {
  const { start, lines, at, shown } = packTree(session);
  return link([...rulesOf(session), ['p', start], ['g', lines[0]?.g ?? ''],
    ...lines.slice(1).map(({ from, g }) => ['v', [...from, g].join('.')]),
    ['line', shown || undefined], ['at', at]]);
}

/** What the address asks for: a view, and for games what they are. */
export function readAddress(hash = window.location.hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  const words = new URLSearchParams(query);
  const count = (key) => (words.has(key) ? Number(words.get(key)) : undefined);
  const address = {
    hash, view: path.split('/')[0] || 'play', game: words.get('game') ?? undefined, run: words.get('run') ?? undefined,
    auto: words.has('watch'), model: words.get('model') ?? undefined, position: words.get('p') ?? undefined,
    variant: { spawn: words.get('spawn') ?? undefined, start_tiles: count('start_tiles'), merge_cap: count('merge_cap') },
  };
  if (words.has('g')) {
    const branches = words.getAll('v').map((text) => {
      const [line, at, g] = text.split('.');
      return { from: [Number(line), Number(at)], g: g ?? '?' };
    });
    address.lines = [{ from: null, g: words.get('g') }, ...branches];
    address.shown = count('line') ?? 0;
    address.at = count('at');
  }
  return address;
}
