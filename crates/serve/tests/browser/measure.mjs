// How fast a page without a server is: node measure.mjs DIRECTORY CHROMIUM, in a directory with playwright-core.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const [place, browserPath] = process.argv.slice(2);
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://x').pathname.slice(1) || 'index.html';
  try {
    const bytes = readFileSync(join(place, path));
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const base = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const context = await browser.newContext();
const first = await context.newPage();
await first.goto(base);
await first.evaluate(() => navigator.serviceWorker.ready);
await first.close();

/** Milliseconds from opening the page, whose files are kept, to the first move of the AI, three moves ahead. */
async function cold() {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.log(String(error)));
  const begun = performance.now();
  await page.goto(`${base}#/play?game=2048&watch`);
  await page.waitForFunction(() => Number(document.getElementById('count').textContent.replaceAll(',', '')) > 0, null, { polling: 10, timeout: 120_000 });
  const took = performance.now() - begun;
  await page.close();
  return Math.round(took);
}

const starts = [];
for (let i = 0; i < 5; i += 1) starts.push(await cold());
console.log(`first move of the AI after opening the page: ${starts.join(', ')} ms`);

const page = await context.newPage();
await page.goto(base);
for (const ply of [1, 2, 3]) {
  const { moves, seconds } = await page.evaluate(async (depth) => {
    const { backend } = await import('./js/api.js');
    let [position, made] = [undefined, 0];
    await backend.play({ game: '2048', moves: 1, ply: depth });
    const since = performance.now();
    while (performance.now() - since < 5000) {
      const track = await backend.play({ game: '2048', position, moves: 1000, ply: depth });
      made += track.moves.length;
      position = track.over ? undefined : track.positions.at(-1);
    }
    return { moves: made, seconds: (performance.now() - since) / 1000 };
  }, ply);
  console.log(`${ply}-ply: ${Math.round(moves / seconds)} moves a second`);
}
await browser.close();
server.close();
