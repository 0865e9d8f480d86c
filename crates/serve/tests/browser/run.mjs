// What a person does with the page, done by a browser: node run.mjs AFTERSTATE CHROMIUM ARTEFACTS [PART-OF-A-NAME]

import './report.mjs';
import './keep.mjs';
import './judge.mjs';
import './looks.mjs';
import './site.mjs';
import { accessible, amount, check, equal, learn, judged, open, picture, run, test, text, until } from './harness.mjs';

/** Moves until the count of moves has grown: not every direction is legal. */
async function play(page, keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(40);
  }
}

const settled = (page) => until(page, () => !document.querySelector('.sliding'));

test('arrow keys, WASD and HJKL play, undo and redo', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048&p=1000/0000/0000/0000');
  const moves = async (key, wanted) => {
    await page.keyboard.press(key);
    await until(page, (count) => document.getElementById('count').textContent === String(count), wanted);
  };
  await moves('ArrowRight', 1);
  await moves('ArrowDown', 2);
  await moves('a', 3);
  await moves('w', 4);
  await moves('l', 5);
  await moves('j', 6);
  check((await text(page, 'live')).startsWith('down.'), 'the move is spoken');
  await page.waitForTimeout(500);
  const before = await page.locator('.board table').textContent();
  await page.keyboard.press('z');
  equal(await amount(page, 'count'), 5, 'after undo');
  await page.keyboard.press('Control+z');
  equal(await amount(page, 'count'), 4, 'after a second undo');
  await page.keyboard.press('y');
  await page.click('#redo');
  equal(await amount(page, 'count'), 6, 'after redo');
  await settled(page);
  await page.waitForTimeout(400);
  equal(await page.locator('.board table').textContent(), before, 'the board is the same again');
  // A move that replaces an undone one becomes the main line; what came after the undone one stays beside it.
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await play(page, ['ArrowLeft', 'ArrowUp', 'ArrowDown', 'ArrowLeft']);
  check(await page.locator('#redo').isDisabled(), 'there is nothing to redo');
  check(await page.locator('#lines li').count() >= 2, 'the line that was undone is kept');
  // Page and tiles agree.
  await settled(page);
  await page.waitForTimeout(400);
  const shown = await page.locator('.tile').count();
  const told = (await page.locator('.board td').allTextContents()).filter((cell) => cell !== 'empty').length;
  equal(shown, told, 'tiles on the board');
  await picture(page, 'desktop-play');
});

test('swipes play on a phone', async ({ page, base, context }) => {
  await open(page, base, '#/play?game=2048&p=1000/0000/0000/0000');
  const client = await context.newCDPSession(page);
  const box = await page.locator('#board').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const swipe = async (dx, dy) => {
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    for (const share of [0.3, 0.6, 1]) {
      await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + dx * share, y: y + dy * share }] });
    }
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await swipe(90, 0);
  await until(page, () => document.getElementById('count').textContent === '1');
  await swipe(0, 90);
  await until(page, () => document.getElementById('count').textContent === '2');
  equal(await page.evaluate(() => window.scrollY), 0, 'the page does not scroll under the finger');
  await picture(page, 'phone-play');
  check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the phone');
});

test('one click shows the AI at a hundred moves a second', async ({ page, base }) => {
  await open(page, base);
  await page.click('#auto');
  // The built-in model is unpacked once, which takes a while without optimisation.
  await page.waitForFunction(() => Number(document.getElementById('count').textContent.replace(/\D/g, '')) > 0, null, { timeout: 60000 });
  // The machine may be busy: one second of thirty is enough to show that the page can do it.
  let [moves, frames] = [0, 0];
  for (let tries = 0; tries < 30 && (moves < 80 || frames < 25); tries += 1) {
    const first = await amount(page, 'count');
    frames = await page.evaluate(() => new Promise((resolve) => {
      let count = 0;
      const end = performance.now() + 1000;
      const tick = (now) => { count += 1; if (now < end) requestAnimationFrame(tick); else resolve(count); };
      requestAnimationFrame(tick);
    }));
    moves = await amount(page, 'count') - first;
  }
  check(moves >= 80, `${moves} moves in a second`);
  check(frames >= 25, `${frames} frames in a second`);
  console.log(`  ${moves} moves in ${frames} frames of a second`);
  await picture(page, 'desktop-watch');
  await page.keyboard.press(' ');
  equal(await page.locator('#auto').getAttribute('aria-pressed'), 'false', 'space stops it');
});

test('auto-play goes to the end of a game', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048-3x3');
  await page.locator('#speed').fill('8');
  await page.click('#auto');
  await page.locator('#again').waitFor({ timeout: 60000 });
  check((await text(page, 'status')).startsWith('Game over'), 'the end is told');
  check(await page.locator('.tile').first().isVisible(), 'the final board is seen');
  check(await page.locator('#over-analyse').isVisible() && await page.locator('#over-share').isVisible(), 'what can be done now is offered');
  equal(await amount(page, 'best'), 0, 'games of the AI are not the best of the person');
  const moves = await amount(page, 'count');
  check(moves > 50, `${moves} moves`);
  await page.keyboard.press('z');
  equal(await amount(page, 'count'), moves - 1, 'undo after the end');
  await page.click('#last');
  await page.click('#auto');
  await until(page, (n) => Number(document.getElementById('count').textContent.replaceAll(',', '')) < n, moves);
});

test('a win is celebrated, and play goes on', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048&p=aa00/0000/0000/0000');
  await page.keyboard.press('ArrowLeft');
  await until(page, () => document.getElementById('status').textContent.includes('You made the 2048'));
  await play(page, ['ArrowRight', 'ArrowDown']);
  await until(page, () => Number(document.getElementById('count').textContent) >= 2);
  check(!(await text(page, 'status')).includes('You made'), 'play goes on');
});

test('hint, values, analysis, mistakes', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048&p=1210/3302/0043/5512');
  await page.keyboard.press('t');
  await page.locator('.arrow.hint').waitFor({ timeout: 60000 });
  equal(await page.locator('.bar-row').count(), 4, 'bars');
  equal(await page.locator('.bar-row.best').count(), 1, 'best bars');
  await page.check('#values-on');
  // Bad moves on purpose, then good ones.
  await play(page, ['ArrowUp', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowUp']);
  await page.waitForTimeout(300);
  await page.click('#auto');
  await until(page, () => Number(document.getElementById('count').textContent) > 60);
  await page.keyboard.press(' ');
  await page.click('#analyse');
  await judged(page);
  const mistakes = await page.locator('#mistakes li').count();
  check(mistakes > 0, 'mistakes are found');
  check(await page.locator('#graph svg').isVisible(), 'the graph is drawn');
  await page.click('#first');
  await page.keyboard.press('m');
  const at = await amount(page, 'count');
  const named = await page.locator('#mistakes button[aria-current="true"]').textContent();
  check(named.includes(`Move ${at + 1}:`), `${named} at ${at}`);
  await page.locator('#mistakes button').last().click();
  equal(await page.locator('#mistakes button[aria-current="true"]').count(), 1, 'the list leads to the position');
  await picture(page, 'desktop-analysis', true);
});

test('the board is edited by keyboard, and what cannot be is refused', async ({ page, base, expected }) => {
  expected('422');
  await open(page, base);
  await page.keyboard.press('e');
  await page.locator('#editor').waitFor();
  await page.click('#editor >> text=Clear');
  await page.locator('.palette button[data-rank="3"]').click();
  await page.locator('.edit-grid button').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  equal(await page.locator('#editor input[type="text"]').inputValue(), '3300/0000/0000/0000', 'the text follows');
  await picture(page, 'desktop-editor');
  await page.locator('#editor input[type="text"]').fill('33?0/0000/0000/0000');
  await page.click('#editor >> text=Use this position');
  await until(page, () => document.querySelector('#editor .error').textContent.includes("'?'"));
  await page.locator('#editor input[type="text"]').fill('3300/0000/0000/0000');
  await page.click('#editor >> text=Use this position');
  await page.locator('#editor').waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowLeft');
  await until(page, () => document.getElementById('score').textContent === '16');
});

test('replays are imported and exported', async ({ page, base, expected }) => {
  expected('422');
  await open(page, base);
  await page.click('#import');
  await page.locator('#replays textarea').fill('me@1700|01F2#X31|');
  await page.click('#replays button[type=submit]');
  await until(page, () => document.querySelector('#replays .error').textContent.includes('after # comes'));
  await page.locator('#replays textarea').fill('me@1700|01F2#U41[4](12)#R02|N/A@1800');
  await page.click('#replays button[type=submit]');
  await until(page, () => document.getElementById('count').textContent === '2');
  const written = {};
  await page.click('#export');
  for (const format of ['league', 'verse', 'episode', 'ours']) {
    await page.locator('#replays select').selectOption(format);
    await until(page, () => document.querySelector('#replays textarea').value.length > 0);
    await page.waitForTimeout(100);
    written[format] = await page.locator('#replays textarea').inputValue();
  }
  await page.click('#replays >> text=Close');
  for (const [format, replay] of Object.entries(written)) {
    await page.click('#import');
    await page.locator('#replays textarea').fill(replay);
    await page.click('#replays button[type=submit]');
    await page.locator('#replays').waitFor({ state: 'hidden' });
    equal(await amount(page, 'count'), 2, `${format} comes back`);
  }
});

test('positions and games are shared by their address', async ({ page, base, context }) => {
  await open(page, base, '#/play?game=threes');
  await play(page, ['ArrowLeft', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowDown']);
  await page.waitForTimeout(300);
  const moves = await amount(page, 'count');
  check(moves > 2, 'some moves');
  await page.waitForTimeout(400);
  const board = await page.locator('.board table').textContent();
  for (const [button, count] of [['#share-game', moves], ['#share-position', 0]]) {
    await page.click(button);
    const other = await context.newPage();
    await other.goto(page.url());
    await until(other, (n) => document.getElementById('count').textContent === String(n) && document.querySelectorAll('.tile').length > 0, count);
    await other.waitForTimeout(500);
    equal(await other.locator('.board table').textContent(), board, `${button} shows the same board`);
    check((await text(other, 'game')).startsWith('Threes (paper)'), 'the game');
    await other.close();
  }
  await page.goto(`${base}#/play?game=2048&p=nonsense`);
  await until(page, () => document.getElementById('toast').textContent.includes('does not work'));
  page.expected = '422';
});

test('the page slides tiles as the server does', async ({ page, base }) => {
  await open(page, base);
  const wrong = await page.evaluate(async () => {
    const { parseGame, parsePosition, slide } = await import('/js/rules.js');
    const post = async (path, body) => (await fetch(`/api/v1/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
    const found = [];
    let compared = 0;
    for (const name of ['2048', '1024-3x5', 'threes', 'threes-app', 'threes-course-2x3', '2048-1x4']) {
      const game = parseGame(name);
      const { positions, start } = await post('play', { game: name, moves: 200, ply: 1, model: 'heuristic', seed: 11 });
      for (const position of [start, ...positions.filter((_, i) => i % 12 === 0)]) {
        const { cells } = parsePosition(position);
        const { legal } = await post('position', { game: name, position });
        for (const direction of ['up', 'right', 'down', 'left']) {
          const { cells: after, moved } = slide(game, cells, direction);
          if (moved !== legal.includes(direction)) found.push(`${name} ${position} ${direction}: legal`);
          if (!moved) continue;
          const { outcomes } = await post('outcomes', { game: name, position, move: direction });
          const wanted = parsePosition(outcomes[0].position).cells;
          wanted[outcomes[0].cell] = 0;
          compared += 1;
          if (String(after) !== String(wanted)) found.push(`${name} ${position} ${direction}: ${after}`);
        }
      }
    }
    return compared > 100 ? found : [...found, `only ${compared} compared`];
  });
  equal(wrong, [], 'differences');
});

test('every game and board can be played', async ({ page, base }) => {
  await open(page, base);
  for (const [family, rows, cols] of [['1024', 3, 5], ['threes-app', 4, 4], ['threes-course', 2, 3], ['2048', 8, 8], ['2048', 1, 4]]) {
    await page.goto(`${base}#/play?game=${family}-${rows}x${cols}`);
    await until(page, (n) => document.querySelectorAll('.board .cell').length === n, rows * cols);
    await play(page, ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'ArrowLeft']);
    await until(page, () => Number(document.getElementById('count').textContent) > 0);
    check(await page.locator('#toast[data-kind="error"]').count() === 0, `${family}: ${await text(page, 'toast')}`);
    if (rows === 8) await picture(page, 'desktop-8x8');
  }
  await page.keyboard.press('g');
  await page.locator('#family').selectOption('threes');
  await page.click('#start');
  await until(page, () => document.getElementById('next').hidden === false);
});

test('the Threes assistant asks only for what changed, on a phone', async ({ page, base }) => {
  await page.goto(`${base}#/assistant`);
  await page.locator('#view-assistant .palette button[data-rank="1"]').click();
  for (const cell of [0, 5]) await page.locator('.edit-grid button').nth(cell).click();
  await page.locator('#view-assistant .palette button[data-rank="2"]').click();
  for (const cell of [1, 6]) await page.locator('.edit-grid button').nth(cell).click();
  await page.locator('#view-assistant .palette button[data-rank="3"]').click();
  for (const cell of [10, 15]) await page.locator('.edit-grid button').nth(cell).click();
  check((await page.locator('.bag output').textContent()) === 'In the bag: 1 × 1, 2 × 2, 2 × 3.', await page.locator('.bag output').textContent());
  await page.click('text=Start helping');
  let asked = 0;
  for (let turn = 0; turn < 6; turn += 1) {
    await page.locator('.choices button[data-move].primary').click();
    for (;;) {
      await until(page, () => document.querySelector('#view-assistant .question'));
      const question = await page.locator('#view-assistant .question').textContent();
      if (question.startsWith('Best:')) break;
      asked += 1;
      check(/Where|Which/.test(question), question);
      if (turn === 0 && question.startsWith('Where')) await picture(page, 'phone-assistant');
      if (question.startsWith('Where') && turn % 2) await page.locator('.slot').first().click();
      else await page.locator('.choices button').first().click();
      await page.waitForTimeout(60);
    }
  }
  check(asked <= 12, `${asked} questions in 6 turns`);
  await page.click('#view-assistant >> text=Undo');
  await until(page, () => document.querySelector('#view-assistant .question')?.textContent.startsWith('Best:'));
});

test('training is followed live', async ({ page, base, expected }) => {
  expected('frame is sandboxed');
  await page.goto(`${base}#/training?run=demo`);
  await until(page, () => document.querySelectorAll('.chart svg').length === 2);
  await until(page, () => document.querySelector('.facts')?.textContent.includes('60k'));
  learn(5);
  await until(page, () => document.querySelector('.facts').textContent.includes('65k'));
  const frame = page.frameLocator('iframe.report');
  equal(await frame.locator('h1').textContent(), 'A report', 'the report is shown, its script is not run');
  await picture(page, 'desktop-training');
});

for (const [view, hash] of [['puzzles', '#/puzzles'], ['play', '#/play?game=2048&p=1210/3302/0043/5512'], ['assistant', '#/assistant'], ['training', '#/training']]) {
  for (const look of ['on a phone', 'in the dark']) {
    test(`nothing stands in anybody's way: ${view} ${look}`, async ({ page, base, expected }) => {
      expected('frame is sandboxed');
      await page.goto(base + hash);
      await page.waitForTimeout(500);
      if (view === 'play') {
        await page.click('#hint');
        await page.locator('.bar-row').first().waitFor();
      }
      await accessible(page, view);
      await picture(page, `${look === 'on a phone' ? 'phone' : 'dark'}-${view}`, true);
    });
  }
}

test('everything is reached by keyboard alone', async ({ page, base }) => {
  await open(page, base);
  const reached = new Set();
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent));
  }
  for (const id of ['theme', 'language', 'game', 'new', 'recent', 'auto', 'hint', 'speed', 'model', 'ply', 'values-on', 'analyse', 'analysis-ply', 'edit', 'import', 'export', 'share-game']) {
    check(reached.has(id), `${id} is not reached by Tab`);
  }
});

await run();
