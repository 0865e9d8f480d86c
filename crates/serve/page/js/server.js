// The rules and the players of a server, asked over HTTP.

import { Refused } from './refused.js';
import { requests } from './requests.js';

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Whether the server answers: `change` events, and requests until it does. */
class Connection extends EventTarget {
  constructor() {
    super();
    this.up = true;
    this.next = 0; // when it is asked again
  }

  lose() {
    if (!this.up) return;
    this.up = false;
    this.tries = 0;
    this.wait();
  }

  wait() {
    const ms = Math.min(8000, 1000 * 2 ** this.tries);
    this.tries += 1;
    this.next = Date.now() + ms;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.retry(), ms);
    this.changed();
  }

  async retry() {
    clearTimeout(this.timer);
    this.next = 0;
    this.changed();
    try {
      const response = await fetch('/healthz', { cache: 'no-store' });
      if (!response.ok) throw new Error(String(response.status));
    } catch {
      this.wait();
      return;
    }
    this.up = true;
    this.changed();
  }

  /** Resolves as soon as the server answers; rejects when the signal says that nobody waits any more. */
  back(signal) {
    if (this.up) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const given = () => { this.removeEventListener('change', look); reject(new DOMException('given up', 'AbortError')); };
      const look = () => {
        if (!this.up) return;
        this.removeEventListener('change', look);
        signal?.removeEventListener('abort', given);
        resolve();
      };
      this.addEventListener('change', look);
      signal?.addEventListener('abort', given, { once: true });
    });
  }

  changed() { this.dispatchEvent(new Event('change')); }
}

export const connection = new Connection();

function nobody(error) {
  if (error.name === 'AbortError') return error;
  connection.lose();
  return new Refused(0, 'the server does not answer');
}

async function refusal(response) {
  let message = `the server answered ${response.status}`;
  try {
    message = (await response.json()).error.message;
  } catch { /* not one of ours */ }
  return new Refused(response.status, message);
}

/** A busy server is asked again; every other refusal is an error with its words. */
async function ask(path, options) {
  for (let attempt = 0; ; attempt += 1) {
    let response;
    try {
      response = await fetch(`/api/v1/${path}`, options);
    } catch (error) {
      throw nobody(error);
    }
    if (response.ok) return response;
    if (response.status !== 503 || attempt >= 3) throw await refusal(response);
    await pause(1000 * (Number(response.headers.get('retry-after')) || 1));
  }
}

async function answer(response) {
  try {
    return await response.json();
  } catch (error) {
    throw nobody(error);
  }
}

const get = async (path) => answer(await ask(path, {}));

const sending = (body, signal) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  signal,
});

const post = async (path, body, signal) => answer(await ask(path, sending(body, signal)));

/** The lines of a stream of JSON, as they arrive. */
async function* lines(path, body, signal) {
  const response = await ask(path, sending(body, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    let piece;
    try {
      piece = await reader.read();
    } catch (error) {
      throw nobody(error);
    }
    if (piece.done) break;
    const whole = (rest + piece.value).split('\n');
    rest = whole.pop();
    for (const line of whole) if (line) yield JSON.parse(line);
  }
}

/** A run as it learns: calls `on[kind](data)` for every event until the answer is called. */
function follow(run, on) {
  const source = new EventSource(`/api/v1/runs/${encodeURIComponent(run)}/stream`);
  for (const kind of ['line', 'evaluation', 'state', 'reset']) {
    source.addEventListener(kind, (event) => on[kind]?.(JSON.parse(event.data)));
  }
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) on.refused?.();
    else connection.lose();
  });
  return () => source.close();
}

/** See api.js. */
export const backend = {
  ...requests(post),
  models: async () => (await get('models')).models,
  analyzeReplay: (asked, signal) => lines('replay/analyze', asked, signal),
  runs: async () => (await get('runs')).runs,
  run: (name) => get(`runs/${encodeURIComponent(name)}`),
  follow,
  fileAddress: (run, file) => `/api/v1/runs/${encodeURIComponent(run)}/files/${file}`,
};
