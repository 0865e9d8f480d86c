// Arrows over a board: a hint, the best move, the move that was played.

import { h } from './dom.js';
import { DIRECTIONS } from './rules.js';

const SHAPE = '46,50 46,26 38,26 50,9 62,26 54,26 54,50';

export class Arrows {
  constructor(place) {
    this.svg = h('svg', { class: 'arrows', viewBox: '0 0 100 100', 'aria-hidden': 'true' });
    place.append(this.svg);
  }

  /** `list` holds pairs of a kind (`hint`, `best`, `played`) and a direction. */
  show(...list) {
    this.svg.replaceChildren(...list.filter(([, direction]) => direction).map(([kind, direction]) => h('polygon', {
      class: `arrow ${kind}`, points: SHAPE, transform: `rotate(${90 * DIRECTIONS.indexOf(direction)} 50 50)`, 'data-move': direction,
    })));
  }
}
