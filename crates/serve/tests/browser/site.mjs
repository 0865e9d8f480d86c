// The page without a server: the directory of `afterstate site` on a plain file server, whose network goes away.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { accessible, amount, binary, check, equal, judged, open, picture, test, text, until } from './harness.mjs';

const place = mkdtempSync(join(tmpdir(), 'afterstate-site-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

/** A file server that knows nothing of us, below a path as some hosts have it; `ended` when it is to be gone. */
function files() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname).replace('/below/', '');
    try {
      const bytes = readFileSync(join(place, path === '' ? 'index.html' : path));
      response.writeHead(200, { 'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve({ server, base: `http://127.0.0.1:${server.address().port}/below/` })); });
}

function site(...models) {
  const made = spawnSync(binary, ['site', '--out', place, ...models.flatMap((model) => ['--model', model])], { encoding: 'utf8' });
  check(made.status === 0, `afterstate site: ${made.stderr}`);
}

test('without a server: a game to its end, its analysis and a reload, offline', async ({ page, context }) => {
  site('builtin:2048-3x3');
  const { server, base } = await files();
  page.base = base;
  page.setDefaultTimeout(60_000);
  await open(page, base, '#/play?game=2048-3x3');
  equal(await page.locator('nav a[data-view="training"]').isVisible(), false, 'nobody trains here');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length === 1 && Boolean(navigator.serviceWorker.controller), null, { polling: 100 });
  // The server and the network are gone.
  server.closeAllConnections();
  server.close();
  await context.setOffline(true);
  await page.reload();
  await page.locator('#board .tile').first().waitFor();
  equal(await page.locator('#ply').inputValue(), 'ply 3', 'three moves ahead');
  await page.keyboard.press('t');
  await page.locator('.arrow.hint').waitFor();
  equal(await page.locator('.bar-row.best').count(), 1, 'a hint');
  check((await text(page, 'judged-by')).includes('2048-3x3'), 'the name of the player');
  await page.locator('#speed').fill('8');
  await page.click('#auto');
  await page.locator('#again').waitFor();
  check((await text(page, 'status')).startsWith('Game over'), 'the end is told');
  const moves = await amount(page, 'count');
  check(moves > 50, `${moves} moves`);
  await page.click('#analyse');
  await judged(page);
  check(await page.locator('#graph svg').isVisible(), 'the graph is drawn');
  await picture(page, 'desktop-site', true);
  await page.reload();
  await until(page, (n) => Number(document.getElementById('count').textContent.replaceAll(',', '')) === n, moves);
  equal(await page.locator('#judged').isVisible(), true, 'the analysis is kept');
  // On with another game, by hand and by the AI, one without a model.
  await page.goto(`${base}#/play?game=threes`);
  await until(page, () => !document.getElementById('next').hidden);
  const [left] = [await amount(page, 'count')];
  await page.click('#auto');
  await until(page, (n) => Number(document.getElementById('count').textContent) > n + 3, left);
  await page.keyboard.press(' ');
  // The other views.
  await page.goto(`${base}#/assistant`);
  await page.locator('#view-assistant').waitFor();
  await accessible(page, 'the page without a server');
  await context.setOffline(false);
});

test('without a server: a phone plays, and nothing is loaded from elsewhere', async ({ page, context }) => {
  site('builtin:2048-6x6');
  const { server, base } = await files();
  page.base = base;
  const asked = [];
  context.on('request', (request) => asked.push(request.url()));
  await open(page, base, '#/play?game=2048-6x6');
  await page.click('#auto');
  await until(page, () => Number(document.getElementById('count').textContent) > 10);
  await page.click('#auto');
  check(asked.every((url) => url.startsWith(base)), `loads ${asked.filter((url) => !url.startsWith(base))}`);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  check(policy.startsWith("default-src 'none'") && !policy.includes('unsafe'), policy);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
  equal(manifest.name, 'afterstate', 'the manifest');
  equal(manifest.display, 'standalone', 'an app of its own');
  server.closeAllConnections();
  server.close();
});
