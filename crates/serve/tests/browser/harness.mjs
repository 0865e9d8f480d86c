// A server, a browser, and tests that run one after the other.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const [binary, browserPath, artefacts, only] = process.argv.slice(2);

const tests = [];
export const test = (name, body) => tests.push({ name, body });

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export const equal = (found, wanted, message) => check(JSON.stringify(found) === JSON.stringify(wanted), `${message}: ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);

/** A directory of runs with one that grows on demand. */
export const runs = mkdtempSync(join(tmpdir(), 'afterstate-runs-'));
let logged = 0;
export function learn(lines) {
  for (let i = 0; i < lines; i += 1) {
    logged += 1;
    const games = logged * 1000;
    const mean = 80000 * (1 - Math.exp(-logged / 30));
    const rate = (half) => 1 / (1 + Math.exp((half - logged) / 6));
    const line = { games, window: 1000, mean, max: Math.round(mean * 2.4), moves: games * 900, seconds: logged * 1.7, tiles: [[512, rate(2)], [1024, rate(8)], [2048, rate(20)], [4096, rate(45)]], factor: 1 };
    appendFileSync(join(runs, 'demo', 'train.jsonl'), `${JSON.stringify(line)}\n`);
  }
}
mkdirSync(join(runs, 'demo', 'eval'), { recursive: true });
writeFileSync(join(runs, 'demo', 'config.toml'), 'about = "a run to look at"\n');
writeFileSync(join(runs, 'demo', 'meta.json'), '{"version":"test"}');
writeFileSync(join(runs, 'demo', 'report.html'), '<!doctype html><title>Report</title><h1>A report</h1><script>document.body.textContent = "scripted"</script>');
writeFileSync(join(runs, 'demo', 'train.jsonl'), '');
learn(60);
// Another one at rest, with evaluations on the way.
mkdirSync(join(runs, 'other', 'eval'), { recursive: true });
writeFileSync(join(runs, 'other', 'config.toml'), 'about = "a run to compare with"\n');
writeFileSync(join(runs, 'other', 'meta.json'), '{"version":"test"}');
const means = Array.from({ length: 50 }, (_, i) => 60000 * (1 - Math.exp(-(i + 1) / 20)));
writeFileSync(join(runs, 'other', 'train.jsonl'), means.map((mean, i) => `${JSON.stringify({ games: (i + 1) * 1000, window: 1000, mean, max: 2 * mean, moves: i * 9e5, seconds: i * 2 + 1, tiles: [[1024, 0.5]], factor: 1 })}\n`).join(''));
for (const games of [20000, 40000]) {
  const mean = means[games / 1000 - 1] * 1.05;
  writeFileSync(join(runs, 'other', 'eval', `${String(games).padStart(12, '0')}.json`), JSON.stringify({ trained_games: games, games: 200, seed: 1, ply: 1, score: { mean, ci95: [mean - 2000, mean + 2000] } }));
}

/** Endgame tables of a small board. */
const tables = mkdtempSync(join(tmpdir(), 'afterstate-endgames-'));
const made = spawnSync(binary, ['endgames', '2048-3x3', '--hold', '##./.../...', '--goal', '64', '--out', tables]);
check(made.status === 0, `endgame tables: ${made.stderr}`);

/** Starts a server; `port` 0 takes any that is free. */
export function start(port = 0) {
  const server = spawn(binary, ['serve', '--addr', `127.0.0.1:${port}`, '--runs', runs, '--endgames', tables], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let said = '';
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
    server.stdout.on('data', (piece) => {
      said += piece;
      const found = /http:\/\/[^\s]+/.exec(said);
      if (found) resolve({ server, base: found[0] });
    });
  });
}

const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** A browser of its own that keeps what it stores in a directory; `kill` ends it as a power cut does. */
export async function ownBrowser(profile) {
  const context = await chromium.launchPersistentContext(profile, { executablePath: browserPath, args: FLAGS, ...DESK, locale: 'en-US' });
  const ended = new Promise((resolve) => { context.once('close', resolve); });
  const kill = async () => {
    for (const id of execFileSync('pgrep', ['-f', `user-data-dir=${profile}`], { encoding: 'utf8' }).trim().split('\n')) {
      try { process.kill(Number(id), 'SIGKILL'); } catch { /* it ended with another one */ }
    }
    await ended;
  };
  return { context, page: context.pages()[0] ?? await context.newPage(), kill };
}

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** One test in a context of its own: true if it passed. */
async function attempt(browser, base, { name, body }) {
  const phone = name.includes('phone');
  const context = await browser.newContext({ ...(phone ? PHONE : DESK), colorScheme: name.includes('dark') ? 'dark' : 'light', locale: name.includes('Chinese') ? 'zh-CN' : 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error}`));
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(`console: ${message.text()}`); });
  page.on('request', (request) => { if (!request.url().startsWith(page.base ?? base) && !request.url().startsWith('blob:') && !request.url().startsWith('data:')) complaints.push(`loads ${request.url()}`); });
  const begun = Date.now();
  try {
    await body({ page, context, base, expected: (word) => { page.expected = word; } });
    const real = complaints.filter((one) => !page.expected || !one.includes(page.expected));
    check(real.length === 0, real.join('; '));
    console.log(`test browser::${name} ... ok (${Date.now() - begun} ms)`);
    return true;
  } catch (error) {
    const shown = await page.evaluate(() => `${window.location.hash}: ${document.body.innerText.slice(0, 600)}`).catch(String);
    console.log(`test browser::${name} ... FAILED\n  ${error.stack ?? error}\n  ${complaints.join('\n  ')}\n  shown: ${shown}`);
    await page.screenshot({ path: join(artefacts, `failed-${name.replaceAll(/\W+/g, '-')}.png`) }).catch(() => {});
    return false;
  } finally {
    await context.close();
  }
}

export async function run() {
  mkdirSync(artefacts, { recursive: true });
  const { server, base } = await start();
  const browser = await chromium.launch({ executablePath: browserPath, args: FLAGS });
  let [passed, failed] = [0, 0];
  for (const one of tests.filter(({ name }) => !only || name.includes(only))) {
    // Machines stall; what fails twice is wrong. The first failure is told all the same.
    if (await attempt(browser, base, one) || await attempt(browser, base, one)) passed += 1;
    else failed += 1;
  }
  await browser.close();
  server.removeAllListeners('exit');
  server.kill('SIGTERM');
  for (const place of [runs, tables]) rmSync(place, { recursive: true, force: true });
  console.log(`\ntest result: ${failed ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}

/** Waits until a page says something is so. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { polling: 50 });

export const text = (page, id) => page.locator(`#${id}`).textContent();
export const amount = async (page, id) => Number((await text(page, id)).replaceAll(',', ''));
export const picture = (page, name, whole = false) => page.screenshot({ path: join(artefacts, `${name}.png`), fullPage: whole, timeout: 60_000 });

/** Opens the page and waits for the first board. */
export async function open(page, base, hash = '') {
  await page.goto(base + hash);
  await page.locator('#board .tile').first().waitFor();
}

/** Waits until the whole game is judged. */
export const judged = (page) => page.waitForFunction(() => !document.getElementById('judged').hidden && document.getElementById('progress').hidden, null, { timeout: 90000, polling: 100 });

/** Lets hand-made judgement play, which needs no loading. */
export const quick = (context) => context.addInitScript(() => { localStorage.setItem('player', '"heuristic"'); });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asks the accessibility checker; it must find nothing. The page's policy lets no foreign script in: it comes through the debugger. */
export async function accessible(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  check(found.violations.length === 0, `${what}: ${found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.failureSummary}`).join(' | ')}`).join('\n')}`);
}
