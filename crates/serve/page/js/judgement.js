// What the analysis said about a game, kept in this browser beside the game, so that a reload loses nothing.

import { kept } from './dom.js';
import { DIRECTIONS } from './rules.js';
import { packGame } from './share.js';

const INDEX = 'judged games';
/** How many games keep their analysis, and how long a text it may be: the browser has some five million characters. */
const MOST = 5;
const LONGEST = 1_000_000;

const place = (id) => `judged ${id}`;
const all = () => kept.read(INDEX, []);

/** A judged move: the best, and the values of all four. */
const pack = ({ judged }) => (judged && judged.value !== null
  ? `${DIRECTIONS.indexOf(judged.best)}:${judged.values.map((value) => value ?? '').join(',')}` : '');

function unpack(text, move) {
  const [best, rest] = text.split(':');
  const values = rest.split(',').map((value) => (value === '' ? null : Number(value)));
  const [value, played] = [values[Number(best)], values[DIRECTIONS.indexOf(move)]];
  if (!Number.isFinite(value) || !Number.isFinite(played) || values.length !== 4) return null;
  return { best: DIRECTIONS[Number(best)], value, values, loss: value - played };
}

/** Keeps what is known about a line of a game; the oldest analyses make room. */
export function keepJudgement(session, line) {
  const steps = line.slice(1);
  const judged = steps.map(pack).join(';');
  if (!session.id || judged.length > LONGEST) return;
  const ids = [session.id, ...all().filter((id) => id !== session.id)];
  for (const id of ids.splice(MOST)) localStorage.removeItem(place(id));
  while (!kept.write(place(session.id), { ...session.judge, moves: packGame(steps), judged })) {
    if (ids.length === 1) return;
    localStorage.removeItem(place(ids.pop()));
  }
  kept.write(INDEX, ids);
}

/** Brings back what was known about a game: the moves are found in its tree, whatever else was played since. */
export function restoreJudgement(session, id) {
  const found = id && kept.read(place(id));
  if (!found) return;
  const { by, ply, moves, judged } = found;
  session.judge = { by, ply };
  let node = session.root;
  for (const [i, text] of judged.split(';').entries()) {
    node = node.children.find((child) => packGame([child]) === moves.slice(3 * i, 3 * i + 3));
    if (!node) break;
    if (text) node.judged = unpack(text, node.move);
  }
}

/** Games need room: analyses go first. True if there was one. */
export function dropOldestJudgement() {
  const ids = all();
  const last = ids.pop();
  if (!last) return false;
  localStorage.removeItem(place(last));
  kept.write(INDEX, ids);
  return true;
}

export function forgetJudgement(id) {
  localStorage.removeItem(place(id));
  kept.write(INDEX, all().filter((one) => one !== id));
}
