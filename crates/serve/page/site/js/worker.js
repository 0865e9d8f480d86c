// The engine in a thread of its own, so that the page never waits for a search.
//
// Requests are `{number, path, body}`, answers `{number, status, text}`. The rules answer at once; who needs a player
// waits for the models.

import { Engine } from './engine.js';

const PLACE = new URL('../engine/', import.meta.url);
const NEED_A_PLAYER = ['models', 'analyze', 'play', 'replay/analyze'];

async function bytes(name) {
  const response = await fetch(new URL(name, PLACE));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

/** The engine, and a promise of its models. */
async function load() {
  const [module, list] = await Promise.all([bytes('afterstate.wasm').then((code) => WebAssembly.compile(code)), bytes('models.json')]);
  const { models } = JSON.parse(new TextDecoder().decode(list));
  const engine = new Engine(module);
  const files = models.map(({ file }) => bytes(file));
  const ready = (async () => {
    for (const [i, { id }] of models.entries()) engine.addModel(id, new Uint8Array(await files[i]));
  })();
  ready.catch(() => {}); // those who need them get the error
  return { engine, ready };
}

let loading = null;

async function answer({ number, path, body }) {
  try {
    loading ??= load();
    const { engine, ready } = await loading;
    if (NEED_A_PLAYER.includes(path)) await ready;
    postMessage({ number, ...engine.answer(path, body) });
  } catch (error) {
    // An engine that stopped is of no use any more, and neither are files that did not come: the next request tries again.
    loading = null;
    postMessage({ number, status: 0, text: String(error.message ?? error) });
  }
}

addEventListener('message', ({ data }) => answer(data));
