// Games that are kept in this browser: the one under way, and a short list of those before it.

import { kept } from './dom.js';
import { note, readJournal, strike } from './journal.js';
import { dropOldestJudgement, forgetJudgement, restoreJudgement } from './judgement.js';
import { gameKey, label } from './rules.js';
import { packTree, unpackTree } from './share.js';

const INDEX = 'games';
const CURRENT = 'game now';
/** How many games are kept that a person played in, and how many that only the AI played. */
const MOST = 30;
const MOST_OF_AI = 8;

const place = (id) => `game ${id}`;

/** Games in the order in which they were last changed, the latest first. */
export const listGames = () => kept.read(INDEX, []);

function who(session) {
  if (session.origin === 'import' || session.origin === 'link') return session.origin;
  let [you, ai] = [false, false];
  for (const node of session.line.slice(1)) {
    if (node.ai) ai = true;
    else you = true;
  }
  return ai ? (you ? 'both' : 'ai') : 'you';
}

function about(session) {
  const end = session.line.at(-1);
  return {
    id: session.id,
    game: session.game.name,
    variant: session.game.variant,
    key: gameKey(session.game),
    when: Date.now(),
    score: end.score,
    largest: label(session.game, Math.max(...end.cells)),
    moves: session.length,
    variations: session.variations.length,
    by: who(session),
    over: end.over,
  };
}

/** Keeps a game as it is now. A game without a move is not worth a line of its own. */
export function saveGame(session) {
  session.id ??= `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  if (session.id !== held) claim(session.id);
  const packed = { ...packTree(session), address: session.address };
  if (session.length === 0 && session.variations.length === 0) {
    kept.write(CURRENT, { empty: packed });
    sessionKeep({ empty: packed });
    return;
  }
  const entry = about(session);
  const others = listGames().filter((game) => game.id !== session.id);
  const games = [entry, ...others];
  const isAi = (game) => game.by === 'ai' && game !== entry;
  const drop = [...games.filter((game) => !isAi(game)).slice(MOST), ...games.filter(isAi).slice(MOST_OF_AI)];
  for (const game of drop) forget(game.id);
  let left = games.filter((game) => !drop.includes(game));
  // Where there is no more room, analyses make some, then the oldest game.
  while (!kept.write(place(session.id), packed)) {
    if (dropOldestJudgement()) continue;
    const oldest = left.findLast((game) => game.id !== session.id);
    if (!oldest) return;
    forget(oldest.id);
    left = left.filter((game) => game !== oldest);
  }
  kept.write(INDEX, left);
  kept.write(CURRENT, { id: session.id });
  sessionKeep({ id: session.id });
  note({ id: session.id, when: entry.when, entry, packed });
}

/** Brings back what a browser that was killed had not written yet: games whose journal is newer than what is kept. */
export async function recover() {
  for (const { id, when, entry, packed } of (await readJournal()).sort((a, b) => a.when - b.when)) {
    const games = listGames();
    const known = games.find((game) => game.id === id);
    if (known && known.when >= when) continue;
    if (!kept.write(place(id), packed)) continue;
    kept.write(INDEX, [entry, ...games.filter((game) => game !== known)]);
    kept.write(CURRENT, { id });
    // A tab that the browser opens again may remember the moment before that game began.
    if (sessionRead()?.empty) sessionStorage.removeItem(CURRENT);
  }
}

function forget(id) {
  strike(id);
  localStorage.removeItem(place(id));
  forgetJudgement(id);
}

export function removeGame(id) {
  kept.write(INDEX, listGames().filter((game) => game.id !== id));
  forget(id);
}

function sessionKeep(value) {
  try {
    sessionStorage.setItem(CURRENT, JSON.stringify(value));
  } catch { /* this tab starts with the last game of all tabs */ }
}

function sessionRead() {
  try {
    return JSON.parse(sessionStorage.getItem(CURRENT));
  } catch {
    return null;
  }
}

/** The game under way in this tab, else the last one of all tabs, as it was packed. `mine`: of this tab. */
export function currentGame() {
  const mine = sessionRead();
  const now = mine ?? kept.read(CURRENT);
  const packed = now?.empty ?? (now?.id && kept.read(place(now.id)));
  return packed ? { id: now.id, packed, mine: Boolean(mine) } : null;
}

/** Opens a kept game. Two tabs never write to one game: the second goes on with a copy. */
export async function openGame(session, { id, packed = kept.read(place(id)) }, track) {
  if (!packed) throw new Error('this game is no longer kept');
  await unpackTree(session, packed, track);
  restoreJudgement(session, id);
  session.address = packed.address;
  session.id = id && (await claim(id)) ? id : undefined;
}

let held = null;
let release = null;

/** Takes a game for this tab; false if another tab has it. */
function claim(id) {
  release?.();
  release = null;
  held = id;
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    // A page that is being reloaded gives its lock back a moment later.
    navigator.locks.request(place(id), { signal: AbortSignal.timeout(400) }, () => {
      resolve(true);
      return new Promise((done) => { release = done; });
    }).catch(() => resolve(false));
  });
}

/** The best score of the person's own games: those that began as a new game and in which the AI made no move. */
export function bestScore(session) {
  const key = `own best ${gameKey(session.game)}`;
  const best = Number(kept.read(key, 0));
  if (session.origin !== 'new' || session.at === 0 || session.now.score <= best || session.helped) return best;
  kept.write(key, session.now.score);
  return session.now.score;
}
