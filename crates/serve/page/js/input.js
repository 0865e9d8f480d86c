// Keys and swipes.

import { isTyping } from './dom.js';

const ARROW_KEYS = { ArrowUp: 'up', ArrowRight: 'right', ArrowDown: 'down', ArrowLeft: 'left' };
const LETTER_KEYS = {
  w: 'up', d: 'right', s: 'down', a: 'left',
  k: 'up', l: 'right', j: 'down', h: 'left',
};

/** Calls `arrow` for arrow keys, `slide` for WASD and HJKL, and `actions[key]` for the others. */
export function keys(isActive, { arrow, slide, ...actions }) {
  document.addEventListener('keydown', (event) => {
    if (!isActive() || document.querySelector('dialog[open]')) return;
    // A dialog that was just closed may still have the focus: what is typed then is for the game.
    if (isTyping(event.target) && !event.target.closest('dialog')) return;
    const control = event.ctrlKey || event.metaKey;
    if (control) {
      if (event.key.toLowerCase() === 'z' && !event.altKey) {
        event.preventDefault();
        actions[event.shiftKey ? 'y' : 'z']?.();
      }
      return;
    }
    if (event.altKey) return;
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const direction = ARROW_KEYS[event.key] ?? LETTER_KEYS[letter];
    if (direction) {
      event.preventDefault();
      (ARROW_KEYS[event.key] ? arrow : slide)(direction);
      return;
    }
    // Space and Enter press the button that has the focus.
    const pressed = event.target instanceof Element && event.target.closest('button, a, summary, input');
    if (pressed && (event.key === ' ' || event.key === 'Enter')) return;
    const action = actions[event.key] ?? actions[letter];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}

/** A field that was changed with a mouse or a finger gives the keys back to the game. */
export function givesKeysBack(root) {
  let pointed = null;
  root.addEventListener('pointerdown', ({ target }) => { pointed = target.closest('select, input'); });
  root.addEventListener('keydown', () => { pointed = null; });
  root.addEventListener('change', ({ target }) => { if (target === pointed) target.blur(); });
}

/** Calls `move` for swipes over an element, by finger, pen or mouse. */
export function swipes(element, move) {
  let from = null;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.target.closest('button')) return;
    from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    if (!from || event.pointerId !== from.id) return;
    const x = event.clientX - from.x;
    const y = event.clientY - from.y;
    if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
    from = null;
    if (Math.abs(x) > Math.abs(y)) move(x > 0 ? 'right' : 'left');
    else move(y > 0 ? 'down' : 'up');
  });
  for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => { from = null; });
}
