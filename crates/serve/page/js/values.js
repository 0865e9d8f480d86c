// What each move of one position is worth: four bars, each of which can be pressed to make the move.

import { h, number, percent } from './dom.js';
import { ARROWS, DIRECTIONS } from './rules.js';
import { t, depthWords, playerWords } from './words.js';

/** Rows for an answer of the analysis. `onmove(direction)` is called for a bar that is pressed. */
export function bars(found, { onmove, played } = {}) {
  const legal = found.moves.filter((move) => move.legal);
  const most = Math.max(...legal.map((move) => move.loss), 0.02 * Math.abs(found.value ?? 0), 1e-6);
  return found.moves.map((move) => {
    const fill = h('span', { class: 'bar-fill' });
    fill.style.width = `${move.legal ? (Math.max(0.03, 1 - (0.9 * move.loss) / most) * 100).toFixed(1) : 0}%`;
    const best = move.move === found.best;
    const chance = found.endgame_tile && h('span', { class: 'bar-chance' }, move.chance === undefined ? '' : percent(move.chance));
    return h('button', {
      type: 'button', class: `bar-row${chance ? ' with-chance' : ''}${best ? ' best' : ''}${move.legal ? '' : ' illegal'}${played === move.move && !best ? ' played' : ''}`,
      disabled: !move.legal || !onmove, dataset: { move: move.move }, onclick: () => onmove?.(move.move),
    },
    h('span', { class: 'bar-name' }, `${ARROWS[move.move]} ${t(`move.${move.move}`)}`),
    h('span', { class: 'bar-track' }, fill),
    h('span', { class: 'bar-value' }, move.legal ? number(move.value) : '–'),
    h('span', { class: 'bar-loss' }, move.legal && move.loss > 0 ? `−${number(move.loss)}` : ''),
    ...(chance ? [chance] : []));
  });
}

/** The values of a judged move, as an answer about one position has them. */
export const ofJudged = ({ best, value, values }) => ({
  best,
  value,
  moves: DIRECTIONS.map((move, i) => ({ move, legal: values[i] !== null, value: values[i], loss: value - values[i] })),
});

/** Who said so, how far they looked, and what kind of number it is. */
export function judgedBy(found) {
  if (!found.best) return t('values.over');
  const words = t('values.by', { player: playerWords(found.model), depth: depthWords(found.ply), seen: number(found.leaves) });
  const kind = t(found.model === 'heuristic' ? 'values.judgement' : 'values.points');
  const chance = found.endgame_tile ? ` ${t('values.endgame', { tile: String(found.endgame_tile) })}` : '';
  return `${words} ${kind}${chance}`;
}
