// What moves are worth: bars for the position shown, a graph and a list of mistakes for the whole game.

import { lines, post } from './api.js';
import { chart, color } from './chart.js';
import { announce, byId, h, number, toast } from './dom.js';
import { ARROWS, DIRECTIONS } from './rules.js';

export class Analysis {
  /** `host` has a session, `effort()` and `move(direction)`. */
  constructor(host) {
    this.host = host;
    this.session = host.session;
    this.bars = byId('bars');
    this.asked = null;
    byId('values-on').addEventListener('change', () => this.look());
    byId('analyse').addEventListener('click', () => this.judgeGame());
    byId('next-mistake').addEventListener('click', () => this.jump(1));
    byId('previous-mistake').addEventListener('click', () => this.jump(-1));
    this.session.addEventListener('change', ({ detail }) => {
      if (detail === 'start') this.forget();
      this.look();
      this.draw();
    });
    this.empty();
  }

  get on() { return byId('values-on').checked; }

  toggle() {
    byId('values-on').checked = !this.on;
    this.look();
  }

  empty() {
    this.bars.replaceChildren(h('p', { class: 'faint' }, 'Ask for a hint, or show values as you play.'));
    this.bars.style.display = 'block';
    byId('judged-by').textContent = '';
  }

  /** Judges the position shown, if that is wanted. */
  async look(force = false) {
    if (!this.on && !force) {
      this.asked?.abort();
      this.empty();
      return null;
    }
    if (this.host.autoplay.running && !force) return null;
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    const { game, position } = this.session;
    try {
      const found = await post('analyze', { game: game.name, variant: game.variant, position, ...this.host.effort() }, asked.signal);
      if (this.session.position !== position) return null;
      this.showBars(found);
      return found;
    } catch (error) {
      if (error.name !== 'AbortError') toast(error.message, 'error');
      return null;
    }
  }

  showBars(found) {
    const legal = found.moves.filter((move) => move.legal);
    const most = Math.max(...legal.map((move) => move.loss), 0.02 * Math.abs(found.value ?? 0), 1e-6);
    this.bars.style.display = '';
    const rows = found.moves.map((move) => {
      const fill = h('div', { class: 'bar-fill' });
      const share = move.legal ? Math.max(0.03, 1 - (0.9 * move.loss) / most) : 0;
      fill.style.width = `${(share * 100).toFixed(1)}%`;
      const best = move.move === found.best;
      return h('div', { class: `bar-row ${best ? 'best' : ''} ${move.legal ? '' : 'illegal'}` },
        h('span', { class: 'bar-name' }, `${ARROWS[move.move]} ${move.move}`),
        h('div', { class: 'bar-track' }, fill),
        h('span', { class: 'bar-value' }, move.legal ? number(move.value) : 'not legal'),
        h('span', { class: 'bar-loss' }, move.legal && move.loss > 0 ? `−${number(move.loss)}` : ''));
    });
    this.bars.replaceChildren(...rows);
    byId('judged-by').textContent = found.best
      ? `Judged by ${found.model}, ${found.ply} ${found.ply === 1 ? 'move' : 'moves'} ahead, ${number(found.leaves)} positions seen.`
      : 'The game is over: no move is legal.';
  }

  forget() {
    this.judging?.abort();
    this.session.judged = [];
    this.summary = null;
    byId('graph').hidden = true;
    byId('mistakes').hidden = true;
    byId('mistakes').replaceChildren();
    byId('verdict').textContent = 'Every move is judged; the ones that gave something away are listed.';
    this.buttons();
  }

  /** Judges every move of the game, showing what is known so far. */
  async judgeGame() {
    const { session } = this;
    if (this.judging) {
      this.judging.abort();
      return;
    }
    if (session.steps.length === 0) {
      toast('There is no move to judge yet: play, let the AI play, or import a replay');
      return;
    }
    this.forget();
    const judging = new AbortController();
    this.judging = judging;
    byId('analyse').textContent = 'Stop';
    let drawn = 0;
    const { ply, model } = this.host.effort();
    try {
      for await (const line of lines('replay/analyze', { ...session.record(), effort: { ply, model } }, judging.signal)) {
        if (line.done !== undefined) this.summary = line;
        else session.judged[line.number - 1] = line;
        if (performance.now() - drawn > 120) {
          drawn = performance.now();
          byId('verdict').textContent = `${session.judged.length} of ${session.steps.length} moves judged`;
          this.draw();
        }
      }
      this.conclude();
    } catch (error) {
      if (error.name !== 'AbortError') toast(error.message, 'error');
      else byId('verdict').textContent = `stopped after ${session.judged.length} moves`;
    } finally {
      this.judging = null;
      byId('analyse').textContent = 'Analyse the whole game';
      this.list();
      this.draw();
    }
  }

  conclude() {
    const { summary } = this;
    if (!summary) return;
    const good = summary.moves ? Math.round((100 * summary.best_moves) / summary.moves) : 100;
    const text = `${number(summary.moves)} moves: ${good} % the best, ${summary.mistakes.length} mistakes, ${number(summary.total_loss)} given away in all (judged by ${summary.model})${summary.done ? '' : '; the time was up'}.`;
    byId('verdict').textContent = text;
    announce(text);
  }

  get mistakes() { return this.session.judged.filter((line) => line?.mistake); }

  list() {
    const { mistakes } = this;
    const place = byId('mistakes');
    place.hidden = mistakes.length === 0;
    place.replaceChildren(...mistakes.slice(0, 500).map((line) => h('li', {}, h('button', {
      type: 'button', dataset: { number: line.number }, onclick: () => this.visit(line),
    }, `Move ${line.number}: ${line.move} instead of ${line.best} `, h('span', { class: 'loss' }, `−${number(line.loss)}`)))));
    this.buttons();
  }

  buttons() {
    const none = this.mistakes.length === 0;
    byId('next-mistake').disabled = none;
    byId('previous-mistake').disabled = none;
  }

  /** To the next position in which a mistake was made. */
  jump(direction) {
    const places = this.mistakes.map((line) => line.number - 1);
    const found = direction > 0 ? places.find((at) => at > this.session.at) : places.findLast((at) => at < this.session.at);
    if (found === undefined) {
      if (places.length) toast(direction > 0 ? 'No mistake after this move' : 'No mistake before this move');
      return;
    }
    this.visit(this.session.judged[found]);
  }

  /** Shows the position in which a mistake was made, with what would have been better. */
  visit(line) {
    this.session.go(line.number - 1);
    const text = `Move ${line.number}: ${line.move} was played, ${line.best} was better by ${number(line.loss)}.`;
    byId('verdict').textContent = text;
    announce(text);
    this.look(true);
  }

  draw() {
    const { judged, at } = this.session;
    for (const button of byId('mistakes').querySelectorAll('button')) {
      button.setAttribute('aria-current', String(Number(button.dataset.number) === at + 1));
    }
    const known = judged.filter((line) => line && line.value !== null);
    byId('graph').hidden = known.length < 2;
    if (known.length < 2) return;
    const wrong = known.filter((line) => line.mistake);
    chart(byId('graph'), [
      { name: 'value of the position', color: color(1), points: known.map((line) => [line.number - 1, line.value]) },
      { name: 'mistake', color: color(3), dots: true, points: wrong.slice(0, 500).map((line) => [line.number - 1, line.value]) },
    ], {
      height: 176,
      label: `Value over the game: ${known.length} positions, ${wrong.length} mistakes`,
      cursor: Math.min(at, known.at(-1).number - 1),
      onpick: (x) => this.session.go(Math.round(x)),
    });
  }
}

/** The best of four moves, for the hint. */
export const bestOf = (found) => (found && DIRECTIONS.includes(found.best) ? found.best : null);
