// What `afterstate report` writes, looked at by a browser: on a phone, in the dark, printed, with and without script.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessible, binary, check, equal, picture, test, until } from './harness.mjs';

/** A report on four runs of two kinds, and on games of two players. */
function report() {
  const place = mkdtempSync(join(tmpdir(), 'afterstate-report-'));
  const paths = [];
  for (const alpha of [0.0025, 0.01]) {
    for (const seed of [1, 2, 3]) {
      const path = join(place, `a${alpha}-s${seed}`);
      mkdirSync(join(path, 'eval'), { recursive: true });
      writeFileSync(join(path, 'config.toml'), `about = "a run to look at"\ngame = "2048"\n[network]\npatterns = "0123 4567"\n[learning]\nalpha = ${alpha}\n[run]\ngames = 60000\nseed = ${seed}\n`);
      writeFileSync(join(path, 'meta.json'), JSON.stringify({ command: `afterstate train td-4x6 --set learning.alpha=${alpha} --seed ${seed}`, game: '2048-4x4-v1', threads: 1, version: 'test', cpu: 'any' }));
      const mean = (i) => 40000 * alpha ** 0.1 * (1 - Math.exp(-i / 20)) + 800 * Math.sin(i + seed);
      const lines = Array.from({ length: 60 }, (_, i) => ({ games: (i + 1) * 1000, window: 1000, mean: mean(i + 1), max: Math.round(mean(i + 1) * 2.4), moves: i * 9e5, seconds: i * 1.5 + seed / 10, tiles: [[1024, 0.7], [2048, 0.4]], factor: 1 }));
      writeFileSync(join(path, 'train.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      for (const games of [20000, 40000, 60000]) {
        const average = mean(games / 1000);
        const rates = [[512, 0.97], [1024, 0.6 + seed / 20], [2048, 0.3 + alpha * 10 + seed / 50]];
        writeFileSync(join(path, 'eval', `${String(games).padStart(12, '0')}.json`), JSON.stringify({ trained_games: games, games: 200, seed: 1, ply: 1, score: { mean: average, ci95: [average - 900, average + 900], median: average }, tiles: rates }));
      }
      paths.push(path);
    }
  }
  for (const game of ['2048', 'threes']) {
    const path = join(place, `greedy-${game}.jsonl`);
    execFileSync(binary, ['evaluate', '--player', 'greedy', '--game', game, '--games', '60', '--save', path], { stdio: 'ignore' });
    paths.push(path);
  }
  execFileSync(binary, ['report', ...paths, '--out', join(place, 'out'), '--title', 'A report to look at'], { stdio: 'ignore' });
  const html = readFileSync(join(place, 'out', 'report.html'), 'utf8');
  rmSync(place, { recursive: true });
  return html;
}

let made;
const page_of = () => (made ??= report());

for (const [look, width, scheme] of [['on a phone', 390, 'light'], ['on a desk', 1280, 'light'], ['in the dark', 390, 'dark']]) {
  test(`a report ${look}: nothing is cut, nothing serious stands in the way`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.setContent(page_of());
    equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'no scrolling sideways');
    const cut = await page.evaluate(() => [...document.querySelectorAll('svg')].filter((svg) => svg.getBoundingClientRect().width > 0).flatMap((svg) => {
      const outer = svg.getBoundingClientRect();
      const boxes = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
      const out = boxes.filter(([, box]) => box.left < outer.left - 2 || box.right > outer.right + 2 || box.top < outer.top - 2 || box.bottom > outer.bottom + 2);
      const over = boxes.filter(([, a], i) => boxes.slice(0, i).some(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4));
      return [...out, ...over].map(([name]) => name);
    }));
    equal(cut, [], 'words that are cut or lie on others');
    if (width > 1000) {
      const scrolling = await page.evaluate(() => [...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.getAttribute('aria-label')));
      equal(scrolling, [], 'tables use the width they need');
    }
    const small = await page.evaluate(() => [...document.querySelectorAll('svg text')].filter((text) => text.getBoundingClientRect().height > 0 && text.getBoundingClientRect().height < 11).length);
    equal(small, 0, 'words too small to read');
    await accessible(page, look);
    await picture(page, `report-${look.replaceAll(' ', '-')}`, true);
  });
}

test('games of a report step and play, and end where they ended', async ({ page }) => {
  await page.setContent(page_of());
  equal(await page.locator('.game').count(), 6, 'best, median and worst of two players');
  const game = page.locator('.game').first();
  const labels = (board) => board.getAttribute('aria-label');
  equal(await labels(game.locator('.live-only .board')), await labels(game.locator('.still .board').last()), 'the last board');
  const said = () => game.locator('.said').textContent();
  const end = await said();
  await game.getByRole('button', { name: 'One move back' }).click();
  check(await said() !== end, 'one move back');
  await game.getByRole('button', { name: 'One move on' }).click();
  equal(await said(), end, 'and on');
  await game.getByRole('button', { name: 'Play' }).click();
  await until(page, () => /^move [3-9] /.test(document.querySelector('.said').textContent));
  await game.getByRole('button', { name: 'Pause' }).click();
});

test('a printed report shows still boards on white', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setContent(page_of());
  equal(await page.locator('.live-only').first().isVisible(), false, 'buttons are not printed');
  equal(await page.locator('.still').first().isVisible(), true, 'boards are');
  equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)', 'white paper');
  await picture(page, 'report-printed', true);
});
