// The compiled engine in Node: node play.mjs MODULE MODEL COMMAND
//   talk              requests on standard input, one `path JSON` per line; an answer per line, `status JSON`
//   games N PLY SEED  N games to their ends; a line for each: score, largest tile, moves, seconds

import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [moduleFile, modelFile, command, ...words] = process.argv.slice(2);
// For Node a file of this name is no module; its text is one.
const source = readFileSync(new URL('../../serve/page/site/js/engine.js', import.meta.url));
const { Engine } = await import(`data:text/javascript;base64,${source.toString('base64')}`);
const say = (text) => writeSync(1, `${text}\n`);

const begun = performance.now();
const engine = new Engine(new WebAssembly.Module(readFileSync(moduleFile)));
engine.addModel('model', new Uint8Array(readFileSync(modelFile)));
const loaded = performance.now() - begun;

const ask = (path, body) => {
  const { status, text } = engine.answer(path, JSON.stringify(body));
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
};

async function talk() {
  for await (const line of createInterface({ input: process.stdin })) {
    const space = line.indexOf(' ');
    const { status, text } = engine.answer(line.slice(0, space), line.slice(space + 1));
    say(`${status} ${text}`);
  }
}

function games(count, ply, seed) {
  say(`loaded in ${Math.round(loaded)} ms, ${Math.round(engine.taken / 2 ** 20)} MiB of weights, ${Math.round(engine.exports.memory.buffer.byteLength / 2 ** 20)} MiB in all`);
  const game = ask('models').models[0].game;
  let [moves, seconds] = [0, 0];
  for (let i = 0; i < count; i += 1) {
    const since = performance.now();
    let number = (seed + i) * 1e6;
    let { position } = ask('game', { game, seed: number });
    let [score, played, over] = [0, 0, false];
    while (!over) {
      number += 1;
      const track = ask('play', { game, position, moves: 1000, ply, seed: number });
      score += track.rewards.reduce((sum, reward) => sum + reward, 0);
      played += track.moves.length;
      position = track.positions.at(-1) ?? position;
      over = track.over;
    }
    const { tiles } = ask('position', { game, position });
    const took = (performance.now() - since) / 1000;
    moves += played;
    seconds += took;
    say(`${score} ${Math.max(...tiles)} ${played} ${took.toFixed(1)}`);
  }
  say(`${Math.round(moves / seconds)} moves a second`);
}

if (command === 'talk') await talk();
else games(...words.map(Number));
