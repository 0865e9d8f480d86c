// Where things stand and what they say: on a desk, on a phone, in both languages, light and dark, by keys alone.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessible, amount, binary, check, equal, judged, open, picture, quick, runs, test, text, until } from './harness.mjs';

const inside = (page, ids) => page.evaluate((names) => names.filter((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return box.width === 0 || box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
}), ids);

const WITHOUT_SCROLLING = ['board', 'status', 'auto', 'hint', 'undo', 'redo', 'model', 'ply', 'speed', 'new', 'game', 'recent', 'score'];

for (const look of ['on a desk', 'on a phone', 'in Chinese on a desk', 'in Chinese on a phone', 'in the dark on a phone']) {
  test(`board, player, depth and speed are seen without scrolling ${look}`, async ({ page, base }) => {
    await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
    equal(await inside(page, WITHOUT_SCROLLING), [], 'below the fold');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
    const overlapping = await page.evaluate(() => {
      const [stage, panels] = ['.play > .stage', '.play > .panels'].map((one) => document.querySelector(one).getBoundingClientRect());
      return [...document.querySelectorAll('.stage button, .stage select')].filter((one) => stage.right < panels.left && one.getBoundingClientRect().right > panels.left).map((one) => one.id);
    });
    equal(overlapping, [], 'over the panels');
    await page.goto(`${base}#/play?game=2048-4x3`);
    await until(page, () => document.querySelectorAll('.board .cell').length === 12);
    equal(await inside(page, WITHOUT_SCROLLING), [], 'below the fold of a tall board');
    const [cell] = await page.locator('.board .cell').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height]));
    check(Math.abs(cell[0] - cell[1]) < 3, `cells are square: ${cell}`);
    await page.goto(`${base}#/play?game=2048&p=1210/3302/0043/5512`);
    await until(page, () => document.querySelectorAll('.board .cell').length === 16);
    equal(await page.locator('#ply').inputValue(), 'ply 3', 'three moves ahead is usual');
    await picture(page, `fold-${look.replaceAll(' ', '-')}`);
  });
}

for (const [width, height] of [[844, 390], [667, 375], [768, 1024], [360, 740]]) {
  test(`the whole board is seen on ${width} by ${height}`, async ({ page, base }) => {
    await page.setViewportSize({ width, height });
    await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
    equal(await inside(page, ['board', 'status', 'auto', 'hint', 'score', 'game', 'theme']), [], 'not seen');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
    check((await page.locator('header').boundingBox()).height < 90, 'the head takes two lines at most');
  });
}

test('in Chinese every view speaks Chinese, and the button changes it', async ({ page, base, context }) => {
  await quick(context);
  for (const [hash, word] of [['#/play', '新对局'], ['#/puzzles', '还没有题目'], ['#/assistant', '下一个方块'], ['#/training', '勾选多个训练']]) {
    await page.goto(base + hash);
    await until(page, (wanted) => document.body.innerText.includes(wanted), word);
  }
  equal(await page.evaluate(() => document.documentElement.lang), 'zh', 'the page says so');
  await page.goto(base);
  await page.locator('#board .tile').first().waitFor();
  for (const key of 'asdwasdw') { await page.keyboard.press(key); await page.waitForTimeout(60); }
  const count = await amount(page, 'count');
  await page.keyboard.press('t');
  await page.locator('.arrow.hint').waitFor();
  // Whatever is in English is a name.
  const latin = await page.evaluate(() => document.body.innerText.match(/[A-Za-z]{3,}/g) ?? []);
  const names = new Set(['afterstate', 'Threes', 'English', 'league', 'verse', 'SPACE', 'Enter', 'Home', 'End', 'Shift']);
  equal(latin.filter((word) => !names.has(word)), [], 'words that were not translated');
  await page.click('#language');
  await until(page, () => document.documentElement.lang === 'en');
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
  check((await text(page, 'new')) === 'New game', 'English again, in the same game');
  await page.reload();
  equal(await page.evaluate(() => document.documentElement.lang), 'en', 'and it stays');
});

test('dialogs fit on a phone', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
  await page.keyboard.press('a');
  for (const key of ['g', 'i', 'e', 'r', 'export']) {
    if (key === 'export') await page.click('#export');
    else await page.keyboard.press(key);
    await page.locator('dialog[open]').waitFor();
    const wide = await page.evaluate(() => {
      const dialog = document.querySelector('dialog[open]');
      const { left, right } = dialog.getBoundingClientRect();
      return [...dialog.querySelectorAll('*:not(option)')].filter((one) => one.getBoundingClientRect().right > right || one.getBoundingClientRect().left < left).map((one) => one.outerHTML.slice(0, 80));
    });
    equal(wide, [], `wider than the dialog of ${key}`);
    await page.keyboard.press('Escape');
    await until(page, () => !document.querySelector('dialog[open]'));
  }
});

test('light and dark change, and stay', async ({ page, base }) => {
  await open(page, base);
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.click('#theme');
  const dark = await paper();
  check(light !== dark, 'another paper');
  await page.reload();
  equal(await paper(), dark, 'after a reload');
});

test('a game is played, browsed and analysed by keys alone', async ({ page, base, context }) => {
  await quick(context);
  await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
  const press = async (...keys) => { for (const key of keys) { await page.keyboard.press(key); await page.waitForTimeout(70); } };
  await press('ArrowLeft', 'ArrowUp', 'w', 'a', 's', 'd', 'ArrowLeft', 'ArrowUp');
  const count = await amount(page, 'count');
  check(count > 3, 'played');
  await press('x');
  await until(page, () => !document.getElementById('judged').hidden && document.getElementById('progress').hidden);
  await press('Home');
  equal(await amount(page, 'count'), 0, 'the first position');
  await press('ArrowRight');
  equal(await amount(page, 'count'), 1, 'a step');
  await press('End', 'Enter');
  check(!(await text(page, 'status')).includes('Browsing'), 'playing again');
  await press('g');
  await page.locator('#chooser').waitFor();
  await press('Escape', 'r');
  await page.locator('#recent-games').waitFor();
  await press('Tab', 'Enter');
  await page.locator('#recent-games').waitFor({ state: 'hidden' });
  await until(page, (n) => document.getElementById('count').textContent === String(n), count);
});

test('a field that was set with the mouse leaves the keys to the game', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
  const box = await page.locator('#speed').boundingBox();
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  const speed = await text(page, 'speed-text');
  await page.keyboard.press('ArrowLeft');
  await until(page, () => document.getElementById('count').textContent === '1');
  equal(await text(page, 'speed-text'), speed, 'the speed stays');
  // Reached by Tab, it is set by the same keys.
  await page.locator('#speed').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  check(await text(page, 'speed-text') !== speed, 'the speed changes');
  equal(await amount(page, 'count'), 1, 'and the game does not');
});

test('the assistant explains an empty board, offers next tiles, and its slots fit', async ({ page, base }) => {
  await page.goto(`${base}#/assistant`);
  await page.click('text=Start helping');
  check((await page.locator('#view-assistant .error').textContent()).includes('The board is empty'), 'what to do');
  equal(await page.locator('.next-choice button').allTextContents(), ['1', '2', '3'], 'next tiles');
  await page.locator('#view-assistant .palette button[data-rank="8"]').click();
  await page.locator('.edit-grid button').first().click();
  equal(await page.locator('.next-choice button').allTextContents(), ['1', '2', '3', '6 / 12'], 'with bonus tiles for 96');
  await page.click('text=Try an example');
  await page.locator('.choices button[data-move]').first().click({ timeout: 60000 });
  await until(page, () => document.querySelector('#view-assistant .question'));
  const slots = await page.locator('.slot').count();
  if (slots > 0) {
    const off = await page.evaluate(() => {
      const cells = [...document.querySelectorAll('#view-assistant .cell')].map((one) => one.getBoundingClientRect());
      return [...document.querySelectorAll('.slot')].map((one) => one.getBoundingClientRect()).map((slot) => Math.min(...cells.map((cell) => Math.abs(cell.left - slot.left) + Math.abs(cell.top - slot.top) + Math.abs(cell.width - slot.width))));
    });
    check(off.every((pixels) => pixels < 1.5), `slots are off by ${off}`);
  }
  const question = await page.locator('#view-assistant').textContent();
  await page.reload();
  await page.locator('#view-assistant .board').waitFor({ timeout: 20000 });
  check(question.length > 0, 'a reload goes on with the game');
});

test('several runs lie over each other, with names on the axes', async ({ page, base, expected }) => {
  expected('frame is sandboxed');
  await page.goto(`${base}#/training`);
  await until(page, () => document.querySelectorAll('.run').length >= 2);
  const curves = () => page.locator('.training .chart').first().locator('.curve').count();
  await until(page, () => document.querySelectorAll('.training .curve').length > 0);
  equal(await curves(), 1, 'one curve');
  await page.locator('.run input').nth(1).check();
  await until(page, () => document.querySelector('.training .chart').querySelectorAll('.curve').length === 2);
  equal(await page.locator('.training .chart').first().locator('.name').allTextContents(), ['games learned from', 'average score'], 'axes');
  check(await page.locator('.training .interval').count() > 0, 'evaluations have intervals');
  await page.locator('.training input[type=range]').fill('3');
  await until(page, () => document.querySelectorAll('.training .faint-curve').length === 2);
  await page.locator('.training select').selectOption('seconds');
  await until(page, () => [...document.querySelectorAll('.training .name')].some((one) => one.textContent === 'seconds of learning'));
  await picture(page, 'desktop-training');
});

for (const look of ['on a desk', 'on a phone']) {
  test(`figures of a run fit, each of them once ${look}`, async ({ page, base }) => {
    const place = join(runs, 'drawn');
    mkdirSync(join(place, 'figures'), { recursive: true });
    writeFileSync(join(place, 'config.toml'), 'about = "a run with figures"\n');
    writeFileSync(join(place, 'meta.json'), '{"version":"test"}');
    writeFileSync(join(place, 'train.jsonl'), '');
    for (const name of ['mean', 'tiles']) {
      writeFileSync(join(place, 'figures', `${name}.svg`), '<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="400"><rect width="1400" height="400" fill="#abc"/></svg>');
      writeFileSync(join(place, 'figures', `${name}.png`), '');
    }
    await page.goto(`${base}#/training?run=drawn`);
    await until(page, () => document.querySelectorAll('.figure').length > 0 && [...document.querySelectorAll('.figure')].every((one) => one.complete));
    equal(await page.locator('.figure').evaluateAll((all) => all.map((one) => one.alt)), ['mean.svg', 'tiles.svg'], 'figures');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    await page.goto(`${base}#/play`);
    rmSync(place, { recursive: true });
  });
}

test('the model of a run is watched and played with from its page', async ({ page, base }) => {
  execFileSync(binary, ['train', 'optimum-2x3', '--games', '300', '--threads', '1', '--run', join(runs, 'small')], { stdio: 'ignore' });
  await page.goto(`${base}#/training?run=small`);
  await page.click('text=Watch it play');
  await until(page, () => document.querySelectorAll('.board .cell').length === 6);
  await until(page, () => Number(document.getElementById('count').textContent) > 3);
  equal(await page.locator('#model').inputValue(), 'run:small', 'it is in the list of players');
  await until(page, () => document.getElementById('status').textContent.includes('the run small') || document.getElementById('again'));
  await page.reload();
  await until(page, () => document.querySelectorAll('.board .cell').length === 6);
});

for (const look of ['on a phone', 'in the dark', 'in Chinese']) {
  test(`nothing stands in anybody's way of a judged game, its dialogs and puzzles ${look}`, async ({ page, base, context }) => {
    await quick(context);
    await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
    for (let i = 0; i < 24; i += 1) { await page.keyboard.press('wswswsad'[i % 8]); await page.waitForTimeout(30); }
    await page.keyboard.press('x');
    await judged(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('m');
    await page.keyboard.press('a');
    await page.keyboard.press('s');
    await page.keyboard.press('d');
    await page.waitForTimeout(300);
    await accessible(page, 'judged');
    for (const key of ['g', 'r', 'e', 'i']) {
      await page.keyboard.press(key);
      await page.locator('dialog[open]').waitFor();
      await accessible(page, key);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${base}#/puzzles`);
    await page.locator('#view-puzzles .question').waitFor();
    await page.locator('.puzzle-moves button:not([disabled])').first().click();
    await page.locator('#view-puzzles .bar-row').first().waitFor();
    await accessible(page, 'puzzle');
  });
}
