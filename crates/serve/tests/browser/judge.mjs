// Analysis people can trust: a lost game to its end, classes, arrows, puzzles, chances.

import { accessible, amount, check, equal, judged, open, picture, quick, test, text, until } from './harness.mjs';

/** A game of 57 moves that was lost by sliding up, left, down, right, again and again. */
const LOST = '#/play?game=2048-3x3&p=110/000/000&g=xAQgwgRAQBgQxwQgQQQQQAwQxwQQAQBgQxwQggQQAQAwQxwQggQQAQyAQgAQRgQBgQwgQggQRAQBgQxwQRgQBgQxQQggQRgQCAQyAQQAgBgQggQRgQBgQxAQQwQBgQxQQQAQBgQwgQgQQRgQBwQxQQgQQQAQBgQyAQggQQAQBgQ';

async function lose(page, base) {
  await open(page, base, LOST);
  await page.locator('#again').waitFor();
}

test('a lost game is analysed to its end', async ({ page, base }) => {
  await lose(page, base);
  const [score, count] = [await amount(page, 'score'), await amount(page, 'count')];
  equal(await amount(page, 'best'), 0, 'a game from a link is nobody\'s best');
  await page.click('#over-analyse');
  await judged(page);
  const verdict = await text(page, 'verdict');
  check(verdict.startsWith(`${count} moves judged`), verdict);
  // It survives a reload, and the server is not asked again.
  const [told, listed] = [await text(page, 'summary'), await page.locator('#mistakes').textContent()];
  let asked = 0;
  page.on('request', (request) => { if (request.url().includes('/analyze')) asked += 1; });
  await page.reload();
  await until(page, () => !document.getElementById('judged').hidden);
  equal([await text(page, 'verdict'), await text(page, 'summary'), await page.locator('#mistakes').textContent()], [verdict, told, listed], 'the analysis after a reload');
  equal(asked, 0, 'nothing was judged again');
  check(verdict.includes('3 moves ahead'), verdict);
  // Losses that add up to more than there was to win are not held against the score.
  const account = await text(page, 'account');
  const numbers = account.match(/\d[\d,]*/g).map((one) => Number(one.replaceAll(',', '')));
  if (account.includes('not the difference')) equal([numbers.length, numbers[1]], [2, score], account);
  else {
    const [first, loss, luck, final] = numbers;
    const sign = account.includes('brought') ? 1 : -1;
    check(final === score && loss <= first && Math.abs(first - loss + sign * luck - final) <= 3, account);
  }
  const facts = await page.locator('#summary dd').allTextContents();
  equal(facts.length, 4, 'accuracy, best moves, longest run, loss');
  check(facts[0].endsWith('%') && parseFloat(facts[0]) <= 100, facts[0]);
  // The graph is of the final score to be expected, and marks the large tiles.
  check((await page.locator('#graph .legend').textContent()).includes('final score to be expected'), 'what is drawn');
  check(await page.locator('#graph .mark-text').count() > 0, 'large tiles are marked');
  check((await page.locator('#graph .name').allTextContents()).join() === 'move,points', 'named axes');
  // Mistakes: three classes, by loss, then by move.
  equal(await page.locator('#classes button').count(), 3, 'classes');
  const losses = async () => (await page.locator('#mistakes .loss').allTextContents()).map((one) => Number(one.replace('−', '').replaceAll(',', '')));
  const byLoss = await losses();
  check(byLoss.length > 2, 'playing blindly makes mistakes');
  equal(byLoss, [...byLoss].sort((a, b) => b - a), 'the largest first');
  await page.locator('#order').selectOption('move');
  const places = (await page.locator('#mistakes button').evaluateAll((all) => all.map((one) => Number(one.dataset.depth))));
  equal(places, [...places].sort((a, b) => a - b), 'in order of the game');
  // Next goes around, the summary stays, arrows show the move played and the best.
  await page.click('#last');
  await page.keyboard.press('m');
  equal(await amount(page, 'count'), places[0] - 1, 'after the last comes the first');
  await page.keyboard.press('Shift+M');
  equal(await amount(page, 'count'), places.at(-1) - 1, 'and before the first the last');
  equal(await text(page, 'verdict'), verdict, 'the summary stays');
  check(/was a (slip|mistake|blunder)/.test(await text(page, 'note')), await text(page, 'note'));
  equal(await page.locator('.arrow.best').count(), 1, 'the best move');
  check((await text(page, 'judged-by')).startsWith('From the analysis'), 'values are those of the analysis');
  equal(await page.locator('#bars .bar-row.best').getAttribute('data-move'), await page.locator('.arrow.best').getAttribute('data-move'), 'bars and arrows agree');
  equal(await page.locator('.arrow.played').count(), 1, 'the move that was played');
  await picture(page, 'desktop-lost-game', true);
  // A class can be left out.
  const all = await page.locator('#mistakes li').count();
  await page.locator('#classes .slip').click();
  await page.locator('#classes .mistake').click();
  check(await page.locator('#mistakes li').count() <= all, 'fewer are listed');
});

test('an AI is judged further ahead than it played, and so is its game after a reload', async ({ page, base, context }) => {
  await quick(context);
  await open(page, base, '#/play?game=2048-3x3&p=761/250/300');
  await page.locator('#ply').selectOption('ply 2');
  await page.locator('#speed').fill('5');
  await page.click('#auto');
  await until(page, () => Number(document.getElementById('count').textContent) > 8 || document.getElementById('again'));
  if (await page.locator('#auto[aria-pressed="true"]').count()) await page.keyboard.press(' ');
  await page.waitForTimeout(1000);
  await page.reload();
  await until(page, () => Number(document.getElementById('count').textContent) > 8 || document.getElementById('again'));
  // What is chosen now is not what the game was played with.
  await page.locator('#ply').selectOption('ply 1');
  await page.keyboard.press('x');
  await judged(page);
  const verdict = await text(page, 'verdict');
  check(verdict.includes('3 moves ahead') && verdict.includes('The AI played 2 moves ahead'), verdict);
});

for (const look of ['on a desk', 'on a phone']) {
  test(`the mistakes of a lost game are gone through at the board ${look}`, async ({ page, base }) => {
    await lose(page, base);
    await page.click('#over-analyse');
    await judged(page);
    const seen = await page.evaluate(() => { const box = document.getElementById('game-title').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; });
    check(seen, 'what the analysis says is in view');
    await page.click('#over-mistakes');
    const places = new Set();
    for (let i = 0; i < 3; i += 1) {
      places.add(await amount(page, 'count'));
      equal(await page.locator('.arrow.played').count(), 1, 'the move that was played');
      if (look === 'on a phone') check((await page.locator('#status .on-phone').innerText()).startsWith('Move '), 'what is said about it stands below the board');
      await page.click('#to-mistake');
      equal(await page.evaluate(() => document.activeElement.id), 'to-mistake', 'the button keeps the focus');
    }
    equal(places.size, 3, 'three mistakes');
    await picture(page, `mistakes-${look.replaceAll(' ', '-')}`);
  });
}

test('the mistakes of a game become puzzles, with the answer and the reason', async ({ page, base }) => {
  await lose(page, base);
  await page.click('#over-analyse');
  await judged(page);
  await page.click('#to-puzzles');
  await page.locator('#view-puzzles .question').waitFor();
  check((await page.locator('#view-puzzles .question').textContent()).includes('Which move is better?'), 'a question');
  equal(await page.locator('#view-puzzles .bar-row').count(), 0, 'no answer yet');
  const played = await page.evaluate(() => JSON.parse(localStorage.getItem('puzzles'))[0]);
  await page.locator(`.puzzle-moves button[data-move="${played.best}"]`).click();
  check((await page.locator('.puzzle-verdict h2').textContent()).startsWith('Right'), 'the best move is right');
  equal(await page.locator('#view-puzzles .bar-row').count(), 4, 'the values of all four moves');
  equal(await page.locator('#view-puzzles .arrow.best').count(), 1, 'an arrow');
  await page.locator('#view-puzzles .chance-start').click();
  await until(page, () => [...document.querySelectorAll('#view-puzzles .chances td:last-child')].some((one) => Number(one.textContent) > 2));
  await picture(page, 'desktop-puzzle');
  await page.click('#puzzle-next');
  const next = await page.evaluate(() => JSON.parse(localStorage.getItem('puzzles'))[1]);
  await page.locator(`.puzzle-moves button[data-move="${next.played}"]`).click();
  equal(await page.locator('.puzzle-verdict h2').textContent(), 'Not this one', 'the mistake again is wrong');
  await page.reload();
  check((await page.locator('.puzzle-about').textContent()).includes('Puzzle 1 of'), 'puzzles are kept');
});

test('chances of the next tile come with their interval and go with the position', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048-3x3&p=110/234/567');
  await page.locator('#chances .chance-tile').selectOption('9');
  await page.locator('#chances .chance-start').click();
  await until(page, () => [...document.querySelectorAll('#chances td:last-child')].every((one) => Number(one.textContent) >= 5));
  await page.locator('#chances .chance-start').click();
  const rows = await page.locator('#chances tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  for (const [, chance, interval] of rows) {
    const [low, high] = interval.split('–').map(parseFloat);
    check(low <= parseFloat(chance) && parseFloat(chance) <= high && low < high, `${chance} in ${interval}`);
  }
  // A move stands out only where its interval lies above all others.
  const marked = await page.locator('#chances tbody tr').evaluateAll((all) => all.map((row) => row.classList.contains('best')));
  const ranges = rows.map(([, , interval]) => interval.split('–').map(parseFloat));
  equal(marked, ranges.map(([low], i) => ranges.every(([, high], j) => j === i || high < low)), 'marked moves');
  await page.keyboard.press('w');
  await page.keyboard.press('a');
  await until(page, () => document.querySelector('#chances table').hidden);
});

test('accuracy, classes and intervals are what they say', async ({ page, base }) => {
  await open(page, base);
  const found = await page.evaluate(async () => {
    const { classOf, summarise, wilson } = await import('/js/judge.js');
    const node = (loss, value, score = 0) => ({ parent: { score }, judged: { loss, value } });
    const line = [{}, node(0, 100), node(50, 100), node(0, 100), node(0, 50)];
    line.at(-1).over = true;
    line.at(-1).score = 70;
    const summary = summarise(line);
    return {
      classes: [node(0, 100), node(0.9, 100), node(1, 100), node(5, 100), node(20, 100), node(0.5, 10, 10_000)].map((one) => classOf(one)?.name ?? 'none'),
      summary: [summary.accuracy, summary.best, summary.longest, summary.luck],
      half: wilson(50, 100).map((one) => one.toFixed(4)), none: wilson(0, 0),
    };
  });
  equal(found.classes, ['none', 'none', 'slip', 'mistake', 'blunder', 'none'], 'classes by share, without noise');
  equal(found.summary, [0.875, 0.75, 2, 20], 'accuracy, best moves, longest run, luck');
  equal(found.half, ['0.4038', '0.5962'], 'Wilson');
  equal(found.none, [0, 1], 'nothing known');
});

test('every second mark of an axis has its digits', async ({ page, base }) => {
  await open(page, base);
  const marks = await page.evaluate(async () => {
    const { short } = await import('/js/dom.js');
    return [0, 0.25, 750, 2500, 7500, 12500, 60000, 125000, 1250000, 12500000].map(short);
  });
  equal(marks, ['0', '0.25', '750', '2.5k', '7.5k', '12.5k', '60k', '125k', '1.25M', '12.5M'], 'marks');
});

test('an endgame table tells the chance of every move', async ({ page, base }) => {
  await open(page, base, '#/play?game=2048-3x3&p=761/200/000');
  await page.click('#hint');
  await page.locator('#bars .bar-chance:not(:empty)').first().waitFor();
  const chances = (await page.locator('#bars .bar-chance').allTextContents()).filter((one) => one !== '').map(parseFloat);
  check(chances.length > 0 && chances.every((one) => one >= 0 && one <= 100), String(chances));
  check((await text(page, 'judged-by')).includes('exact chances of one more 64'), await text(page, 'judged-by'));
  await accessible(page);
  // Where no table knows the position, nothing is claimed.
  await open(page, base, '#/play?game=2048-3x3&p=100/200/000');
  await page.click('#hint');
  await page.locator('#bars .bar-row').first().waitFor();
  equal(await page.locator('#bars .bar-chance').count(), 0, 'chances without a table');
});
