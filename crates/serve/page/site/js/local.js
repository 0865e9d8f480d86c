// The rules and the players of the engine in this browser: a worker, asked like the server.

import { Refused } from './refused.js';
import { requests } from './requests.js';

/** Nobody is far away: there is nothing to lose. */
class Here extends EventTarget {
  up = true;

  next = 0;

  retry() {}

  back() { return Promise.resolve(); }
}

export const connection = new Here();

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const asked = new Map(); // requests on their way, by number
const waiting = []; // requests for a player that have not begun: one at a time, so that they can still be given up
let busy = null; // the number of the one that has
let count = 0;

const RULES = ['game', 'position', 'move', 'outcomes', 'replay/read', 'replay/write'];

function send(request) {
  asked.set(request.number, request);
  worker.postMessage({ number: request.number, path: request.path, body: request.body });
}

function next() {
  if (busy !== null || waiting.length === 0) return;
  const request = waiting.shift();
  busy = request.number;
  send(request);
}

function end(number, answer) {
  const request = asked.get(number);
  asked.delete(number);
  if (busy === number) busy = null;
  answer(request);
  next();
}

worker.addEventListener('message', ({ data: { number, status, text } }) => {
  if (status === 200) end(number, ({ resolve }) => resolve(JSON.parse(text)));
  else end(number, ({ reject }) => reject(new Refused(status || 500, text)));
});
worker.addEventListener('error', () => {
  for (const number of [...asked.keys()]) end(number, ({ reject }) => reject(new Refused(500, 'the engine does not start')));
});

const givenUp = () => new DOMException('given up', 'AbortError');

/** Asks the engine. Who gives up before their turn is never asked for; who does so later gets no answer. */
function ask(path, question = {}, signal = undefined) {
  if (signal?.aborted) return Promise.reject(givenUp());
  return new Promise((resolve, reject) => {
    count += 1;
    const request = { number: count, path, body: JSON.stringify(question), resolve, reject };
    signal?.addEventListener('abort', () => {
      const at = waiting.indexOf(request);
      if (at >= 0) waiting.splice(at, 1);
      reject(givenUp());
    }, { once: true });
    if (RULES.includes(path)) send(request);
    else {
      waiting.push(request);
      next();
    }
  });
}

/** The judgement of a game, some lines at a time, so that others have their turn in between. */
async function* lines(record, signal) {
  const { number } = await ask('replay/analyze', record, signal);
  for (let more = true; more;) {
    const found = await ask('replay/lines', { number }, signal);
    yield* found.lines;
    more = found.more;
  }
}

/** See api.js. */
export const backend = {
  ...requests(ask),
  models: async () => (await ask('models')).models,
  analyzeReplay: lines,
  runs: null,
};

// Once visited, the page is there without a network too.
navigator.serviceWorker?.register(new URL('../sw.js', import.meta.url)).catch(() => {});
