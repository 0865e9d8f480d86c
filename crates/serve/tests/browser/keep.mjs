// Games are never lost, and nobody is left in the dark: reloads, new games, variations, servers that go and come back.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, check, equal, open, ownBrowser, picture, quick, start, test, text, until } from './harness.mjs';

const START = '#/play?game=2048&p=1210/3302/0043/5512';
const board = async (page) => {
  await page.waitForTimeout(450); // the table for screen readers follows a little later
  return page.locator('#board table').textContent();
};

async function moves(page, keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(70);
  }
}

test('a reload in mid-game changes nothing', async ({ page, base }) => {
  await open(page, base);
  await moves(page, 'asdwasdwasdwasdw');
  const [count, score, before] = [await amount(page, 'count'), await amount(page, 'score'), await board(page)];
  check(count > 3, 'some moves');
  equal(await amount(page, 'best'), score, 'the best of the person');
  await page.reload();
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  equal(await amount(page, 'score'), score, 'the score');
  equal(await board(page), before, 'the board');
  await page.keyboard.press('z');
  equal(await amount(page, 'count'), count - 1, 'even undo goes on');
  // A game that the address named, and the one after it.
  await page.goto(`${base}#/play?game=2048-3x3`);
  await until(page, () => document.querySelectorAll('.board .cell').length === 9);
  for (const again of [false, true]) {
    if (again) await page.keyboard.press('n');
    await until(page, () => document.getElementById('count').textContent === '0');
    await moves(page, 'asdwasdw');
    const [there, seen] = [await amount(page, 'count'), await board(page)];
    await page.reload();
    await until(page, (n) => document.getElementById('count').textContent === String(n) && document.querySelectorAll('.board .cell').length === 9, there);
    equal(await board(page), seen, 'the board of the small game');
  }
  // A new tab of the same browser goes on with a copy, so that two tabs never write to one game.
  const other = await page.context().newPage();
  await open(other, base);
  await until(other, () => Number(document.getElementById('count').textContent) > 0);
  await other.close();
});

/** Browsers write what `localStorage` holds up to a minute later: a game used to be gone, or old, after a crash. */
test('a browser that is killed in mid-game changes nothing', async ({ base }) => {
  const profile = mkdtempSync(join(tmpdir(), 'afterstate-profile-'));
  const first = await ownBrowser(profile);
  await open(first.page, base);
  await moves(first.page, 'asdwasdwasdwasdwasdwasdw');
  const [count, before] = [await amount(first.page, 'count'), await board(first.page)];
  check(count > 5, 'some moves');
  await first.page.waitForTimeout(500);
  await first.kill();
  const second = await ownBrowser(profile);
  await open(second.page, base);
  equal([await amount(second.page, 'count'), await board(second.page)], [count, before], 'the game goes on');
  // What was forgotten stays forgotten, though it was written down.
  await second.page.keyboard.press('n');
  await until(second.page, () => document.getElementById('count').textContent === '0');
  await second.page.click('#recent');
  equal(await second.page.locator('.kept').count(), 1, 'the game is listed');
  await second.page.locator('.kept .quiet').click();
  await second.page.waitForTimeout(300);
  await second.page.reload();
  await second.page.locator('#board .tile').first().waitFor();
  await second.page.click('#recent');
  equal(await second.page.locator('.kept').count(), 0, 'it is forgotten');
  await second.context.close();
  rmSync(profile, { recursive: true, force: true });
});

test('a new game and an import can be taken back, and old games are listed', async ({ page, base }) => {
  await open(page, base);
  await moves(page, 'asdwasdw');
  const [count, before] = [await amount(page, 'count'), await board(page)];
  await page.keyboard.press('n');
  await until(page, () => document.getElementById('count').textContent === '0');
  await page.locator('#toast button').click();
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  equal(await board(page), before, 'back in the game');
  await page.keyboard.press('n');
  await until(page, () => document.getElementById('count').textContent === '0');
  await page.keyboard.press('z');
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  await page.click('#import');
  await page.locator('#replays textarea').fill('me@1700|01F2#U41[4](12)#R02|N/A@1800');
  await page.click('#replays button[type=submit]');
  await until(page, () => document.getElementById('count').textContent === '2');
  await page.locator('#toast button').click();
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  await page.goto(`${base}#/play?game=2048-3x3`);
  await until(page, () => document.querySelectorAll('.board .cell').length === 9);
  await moves(page, 'asdw');
  await page.click('#recent');
  equal(await page.locator('.kept').count(), 3, 'three games are kept');
  await picture(page, 'desktop-games');
  const entry = page.locator('.kept-open', { hasText: `${count} moves · you` });
  check((await entry.textContent()).includes('2048 4×4'), 'which game it was');
  await entry.click();
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  equal(await board(page), before, 'the first game again');
});

test('while browsing arrows browse, another move opens a variation, and the main line stays', async ({ page, base, context }) => {
  await open(page, base, START);
  await moves(page, 'wdwdsdwdwdwasdwadwad');
  const count = await amount(page, 'count');
  await moves(page, [',', ',', ',']);
  equal(await amount(page, 'count'), count - 3, 'stepped back');
  await moves(page, ['ArrowLeft', 'ArrowLeft', 'ArrowRight']);
  equal(await amount(page, 'count'), count - 4, 'arrows browse');
  await page.keyboard.press('ArrowUp');
  equal(await amount(page, 'count'), 0, 'to the start');
  await page.keyboard.press('ArrowDown');
  equal(await amount(page, 'count'), count, 'to the end');
  equal(await page.locator('#lines li').count(), 0, 'nothing was played by all that');
  await page.keyboard.press('Home');
  await moves(page, 'as'); // the game began with w
  await page.locator('#lines-part').waitFor();
  equal(await page.locator('#lines li').count(), 2, 'the main line and a variation');
  check((await text(page, 'status')).startsWith('Variation from move 0'), await text(page, 'status'));
  const variation = await board(page);
  const at = await amount(page, 'count');
  // It is in the address, in the export, and kept.
  await page.click('#share-game');
  const other = await context.newPage();
  await other.goto(page.url());
  await until(other, () => document.querySelectorAll('#lines li').length === 2);
  equal(await board(other), variation, 'the link shows the variation');
  await other.close();
  await page.click('#export');
  await until(page, () => document.querySelector('#replays textarea').value.trim().split('\n').length === 2);
  const written = await page.locator('#replays textarea').inputValue();
  await page.click('#replays >> text=Close');
  await page.reload();
  await until(page, () => document.querySelectorAll('#lines li').length === 2);
  equal([await board(page), await amount(page, 'count')], [variation, at], 'a reload keeps the variation');
  await page.click('#to-main');
  check(!(await text(page, 'status')).includes('ariation'), 'back in the main line');
  await page.keyboard.press('End');
  equal(await amount(page, 'count'), count, 'which is whole');
  // The export comes back as one game with its variation.
  await page.click('#import');
  await page.locator('#replays textarea').fill(written);
  await page.click('#replays button[type=submit]');
  await page.locator('#replays').waitFor({ state: 'hidden' });
  await until(page, () => document.querySelectorAll('#lines li').length === 2);
  equal(await amount(page, 'count'), count, 'the main line of the import');
  // A variation that is taken away comes back.
  await page.locator('#lines button').last().click();
  await until(page, () => document.getElementById('lines-part').hidden);
  await page.locator('#toast button').click();
  await until(page, () => document.querySelectorAll('#lines li').length === 2);
  // Play from here: arrows slide again.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.click('#play-on');
  check(!(await text(page, 'status')).includes('Browsing'), 'playing');
});

test('a server that is gone has a banner, and everything goes on when it is back', async ({ page, context, expected }) => {
  expected('ERR_');
  await quick(context);
  let { server, base } = await start();
  const end = () => new Promise((resolve) => { server.removeAllListeners('exit'); server.on('exit', resolve); server.kill('SIGKILL'); });
  page.base = base;
  await open(page, base);
  await moves(page, 'asdwasdw');
  await page.locator('#speed').fill('3');
  await page.click('#auto');
  const count = await amount(page, 'count');
  await until(page, (n) => Number(document.getElementById('count').textContent) > n + 3, count);
  await end();
  await page.locator('#banner').waitFor();
  check((await text(page, 'banner-text')).includes('does not answer'), 'what happened');
  check((await text(page, 'banner-text')).includes('safe'), 'what it means');
  await until(page, () => /\d+ s/.test(document.getElementById('banner-when').textContent));
  await picture(page, 'desktop-lost');
  const stopped = await amount(page, 'count');
  ({ server, base } = await start(Number(new URL(base).port)));
  await page.click('#banner-now');
  await page.locator('#banner').waitFor({ state: 'hidden' });
  await until(page, (n) => Number(document.getElementById('count').textContent) > n + 3, stopped);
  await page.keyboard.press(' ');
  // Retries need no button.
  await end();
  await page.keyboard.press('t');
  await page.locator('#banner').waitFor();
  await page.goto(`${base}#/training`);
  await until(page, () => document.querySelector('.runs')?.textContent.length > 5);
  ({ server } = await start(Number(new URL(base).port)));
  await page.locator('#banner').waitFor({ state: 'hidden' });
  await until(page, () => document.querySelectorAll('.run').length > 0);
  await end();
});

test('values and hints belong to the position on the board or are gone', async ({ page, base, context }) => {
  await quick(context);
  await open(page, base, START);
  await page.keyboard.press('t');
  await page.locator('.arrow.hint').waitFor();
  await page.keyboard.press('a');
  await until(page, () => !document.querySelector('.arrow.hint'));
  equal(await page.locator('.bar-row').count(), 0, 'bars of the position before');
  await page.check('#values-on');
  await page.locator('.bar-row').first().waitFor();
  await page.locator('#speed').fill('6');
  await page.click('#auto');
  await until(page, () => Number(document.getElementById('count').textContent) > 10);
  equal(await page.locator('.bar-row').count(), 0, 'no stale values while the AI plays fast');
  await page.keyboard.press(' ');
  await page.locator('.bar-row').first().waitFor();
  equal(await page.locator('.bar-value').count(), 4, 'values of the position where it stopped');
  // A bar is a button: pressing the best makes the move.
  const count = await amount(page, 'count');
  await page.locator('.bar-row.best').click();
  await until(page, (n) => Number(document.getElementById('count').textContent) === n + 1, count);
});

test('an AI that cannot keep up looks less far, and says so', async ({ page, base, context }) => {
  await quick(context);
  const asked = [];
  await page.route('**/api/v1/play', async (route) => {
    asked.push(route.request().postDataJSON().ply);
    await new Promise((resolve) => { setTimeout(resolve, 1600); });
    await route.continue();
  });
  await open(page, base, START);
  await page.locator('#speed').fill('8');
  await page.click('#auto');
  await until(page, () => document.getElementById('status').textContent.includes('looks only'));
  check((await text(page, 'status')).includes('To keep up it looks only'), await text(page, 'status'));
  for (let i = 0; i < 150 && !asked.some((ply) => ply < 3); i += 1) await page.waitForTimeout(100);
  await page.keyboard.press(' ');
  equal(asked[0], 3, 'as usual at first');
  check(asked.some((ply) => ply < 3), `then less far: ${asked}`);
  // Whoever chose a depth gets it, however long it takes.
  asked.length = 0;
  await page.locator('#ply').selectOption('ply 2');
  await page.locator('#speed').fill('6');
  await page.click('#auto');
  for (let i = 0; i < 150 && asked.length < 3; i += 1) await page.waitForTimeout(100);
  await page.keyboard.press(' ');
  check(asked.length > 2 && asked.every((ply) => ply === 2), `as chosen: ${asked}`);
});

test('another view that is gone to while a game opens stays', async ({ page, base }) => {
  let asked = 0;
  await page.route('**/api/v1/game', async (route) => { asked += 1; await new Promise((resolve) => { setTimeout(resolve, 800); }); await route.continue(); });
  const opened = page.waitForResponse('**/api/v1/game');
  await page.goto(`${base}#/play`);
  await page.click('nav a[data-view="puzzles"]');
  await opened;
  await page.waitForTimeout(300);
  check(asked === 1, 'a game was asked for');
  equal(await page.evaluate(() => window.location.hash), '#/puzzles', 'the address of the view');
  check(await page.locator('#view-puzzles').isVisible(), 'the view that was gone to');
});

test('a message goes with the view it belongs to', async ({ page, base }) => {
  await open(page, base);
  await moves(page, 'asdw');
  await page.keyboard.press('n');
  await page.locator('#toast').waitFor();
  await page.click('nav a[data-view="puzzles"]');
  await until(page, () => document.getElementById('toast').hidden);
});

test('where there is nothing yet, the page says how to begin', async ({ page, base }) => {
  await page.route('**/api/v1/runs', (route) => route.fulfill({ json: { runs: [] } }));
  for (const [view, words] of [['training', 'afterstate train quick'], ['puzzles', 'no puzzles yet']]) {
    await page.goto(`${base}#/${view}`);
    await until(page, (wanted) => document.body.innerText.toLowerCase().includes(wanted), words);
  }
  equal(await page.locator('.training .chart svg').count(), 0, 'no chart of nothing');
});

test('a wait says what it is for', async ({ page, base }) => {
  await page.route('**/api/v1/analyze', async (route) => { await new Promise((resolve) => { setTimeout(resolve, 1500); }); await route.continue(); });
  await open(page, base, '#/play?game=2048-3x3');
  await page.keyboard.press('t');
  await until(page, () => document.getElementById('status').getAttribute('aria-busy') === 'true');
  check(/Loading the player of 2048-3x3/.test(await text(page, 'status')), await text(page, 'status'));
  check(await page.locator('#bars .spinner').isVisible(), 'and so do the values');
  await page.locator('.arrow.hint').waitFor({ timeout: 60000 });
  equal(await page.locator('#status').getAttribute('aria-busy'), 'false', 'until it is over');
});

test('an AI that is still loading says so, and then who plays', async ({ page, base }) => {
  await page.route('**/api/v1/play', async (route) => { await new Promise((resolve) => { setTimeout(resolve, 1500); }); await route.continue(); });
  await open(page, base, '#/play?game=2048-3x3');
  equal(await page.locator('#model option').first().textContent(), 'best for this game', 'nobody has answered yet');
  await page.click('#auto');
  await until(page, () => document.getElementById('status').textContent.includes('Loading the player of 2048-3x3'));
  await until(page, () => document.querySelector('#model option').textContent.startsWith('best: built-in model'));
});

test('players have the names people know', async ({ page, base }) => {
  await open(page, base);
  const names = await page.evaluate(async () => {
    const { playerWords } = await import('/js/words.js');
    return ['builtin:2048-3x3', 'heuristic', 'run:small', 'mine.afterstate'].map(playerWords);
  });
  equal(names, ['built-in model 2048-3x3', 'hand-made judgement', 'the run small', 'mine.afterstate'], 'names');
});

test('what is no replay is told which formats there are', async ({ page, base, expected }) => {
  expected('422');
  await open(page, base);
  await page.click('#import');
  await page.locator('#replays textarea').fill('hello world, this is no game');
  await page.click('#replays button[type=submit]');
  await until(page, () => document.querySelector('#replays .error').textContent.length > 0);
  const told = await page.locator('#replays .error').textContent();
  for (const word of ['none of the known formats', '2048verse', '2048league', 'course episode', 'afterstate-game-v1']) check(told.includes(word), `${word}: ${told}`);
});

test('a link and a position are pasted like a replay', async ({ page, base, expected }) => {
  expected('422');
  await open(page, base);
  await moves(page, 'asdwasdw');
  const count = await amount(page, 'count');
  const paste = async (what) => {
    await page.click('#import');
    await page.locator('#replays textarea').fill(what);
    await page.click('#replays button[type=submit]');
    await page.locator('#replays').waitFor({ state: 'hidden' });
  };
  await paste('1210/3302/0043/5512');
  await until(page, () => document.getElementById('count').textContent === '0' && document.querySelectorAll('.tile').length === 12);
  await page.keyboard.press('z');
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  await paste(`look: http://example.org/${START}`);
  await until(page, () => document.getElementById('count').textContent === '0' && document.querySelectorAll('.tile').length === 12);
  await paste('2 4 8 16\n32 64 128 256\n0 0 0 0\n0 0 0 2');
  await until(page, () => document.querySelectorAll('.tile').length === 9);
});

test('variants of the game are chosen on the page', async ({ page, base, expected }) => {
  expected('422');
  await open(page, base);
  await page.keyboard.press('g');
  await page.locator('#chooser details').evaluate((details) => { details.open = true; });
  await page.locator('#spawn').fill('8:1');
  await page.locator('#start-tiles').fill('3');
  await page.locator('#merge-cap').fill('16');
  await page.click('#start');
  await until(page, () => document.querySelectorAll('.tile').length === 3);
  equal(new Set(await page.locator('.tile').allTextContents()), new Set(['8']), 'only eights appear');
  check((await text(page, 'game')).includes('variant'), 'the button says so');
  await moves(page, 'asdwasdwasdw');
  check((await page.locator('.tile').allTextContents()).every((tile) => Number(tile) <= 16), 'sixteens do not merge');
  await page.keyboard.press('g');
  await page.locator('.often button').first().click();
  await until(page, () => !document.getElementById('game').textContent.includes('variant'));
  check((await page.locator('.tile').allTextContents()).every((tile) => Number(tile) <= 4), 'the usual game again');
  await page.keyboard.press('g');
  await page.locator('#chooser details').evaluate((details) => { details.open = true; });
  await page.locator('#spawn').fill('nonsense');
  await page.click('#start');
  await until(page, () => document.getElementById('toast').dataset.kind === 'error');
});
