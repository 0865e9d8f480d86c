// How a game is judged: classes of mistakes, accuracy, luck. Plain arithmetic over what the analysis said.

/** A move that gives up at least `from` of the points still to come; the gravest class first. */
export const CLASSES = [
  { name: 'blunder', from: 0.2, glyph: '??' },
  { name: 'mistake', from: 0.05, glyph: '?' },
  { name: 'slip', from: 0.01, glyph: '?!' },
];
/** A loss below this share of the final score to be expected is not counted: it would be noise. */
const FLOOR = 0.001;

/** The final score to be expected before a move, as the judge sees it. */
export const expected = (node) => node.parent.score + node.judged.value;

/** The class of a judged move, or `null` where it was good enough. */
export function classOf(node) {
  const { loss, value } = node.judged;
  if (!(loss > 0) || loss < FLOOR * Math.abs(expected(node))) return null;
  const share = loss / Math.max(Math.abs(value), 1e-9);
  return CLASSES.find(({ from }) => share >= from) ?? null;
}

/** What the judged moves of a line say together. */
export function summarise(line) {
  const judged = line.slice(1).filter((node) => node.judged && node.judged.value !== null);
  if (judged.length === 0) return null;
  let [keep, kept, best, run, longest, total] = [0, 0, 0, 0, 0, 0];
  const counts = Object.fromEntries(CLASSES.map(({ name }) => [name, 0]));
  for (const node of judged) {
    const { loss, value } = node.judged;
    const share = Math.max(0, Math.min(1, 1 - loss / Math.max(Math.abs(value), 1e-9)));
    keep += share;
    kept += Math.log(Math.max(share, 1e-3));
    total += loss;
    if (loss <= 0) { best += 1; run += 1; } else run = 0;
    longest = Math.max(longest, run);
    const found = classOf(node);
    if (found) counts[found.name] += 1;
  }
  const end = line.at(-1);
  const first = expected(judged[0]);
  return {
    moves: judged.length,
    accuracy: keep / judged.length,
    best: best / judged.length,
    longest,
    counts,
    total,
    // What a hundred moves like these leave of the points still to come is a product.
    perHundred: 1 - Math.exp((kept * 100) / judged.length),
    first,
    final: end.over ? end.score : null,
    // What the moves did not cost was given or taken by chance, and by errors of the judge.
    luck: end.over && judged.length === line.length - 1 ? end.score - first + total : null,
  };
}

/** The mistakes of a line. `order` is `move` or `loss`; `classes` are the names of those wanted. */
export function mistakes(line, { order = 'move', classes = CLASSES.map(({ name }) => name) } = {}) {
  const found = line.slice(1)
    .filter((node) => node.judged && node.judged.value !== null)
    .map((node) => ({ node, kind: classOf(node) }))
    .filter(({ kind }) => kind && classes.includes(kind.name));
  return order === 'loss' ? found.sort((a, b) => b.node.judged.loss - a.node.judged.loss) : found;
}

/** Where the largest tiles appeared for the first time: `[depth, rank]`. */
export function milestones(line, count = 5) {
  const found = [];
  let largest = Math.max(...line[0].cells);
  for (const node of line.slice(1)) {
    const rank = Math.max(...node.cells);
    if (rank > largest) { largest = rank; found.push([node.depth, rank]); }
  }
  return found.slice(-count);
}

/** Wilson's interval of 95 % for `hits` of `tries`. */
export function wilson(hits, tries) {
  if (tries === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / tries;
  const middle = (share + (z * z) / (2 * tries)) / (1 + (z * z) / tries);
  const half = (z / (1 + (z * z) / tries)) * Math.sqrt((share * (1 - share)) / tries + (z * z) / (4 * tries * tries));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
