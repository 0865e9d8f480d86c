// Games in and out, in the formats of other programs. The server reads and writes them.

import { post } from './api.js';
import { byId, copy, h, toast } from './dom.js';

const FORMATS = [
  ['ours', 'afterstate record (.jsonl): any game', 'jsonl'],
  ['league', '2048league, old 2048verse: 2048 up to 4×4', 'league'],
  ['verse', '2048verse: 2048 up to 8×8', 'verse'],
  ['episode', 'course episode: 2048 and Threes', 'episode'],
];

export class Replays {
  constructor(host) {
    this.host = host;
    this.dialog = byId('replays');
  }

  show(title, ...content) {
    this.dialog.replaceChildren(h('h2', { id: 'replays-title' }, title), ...content);
    if (!this.dialog.open) this.dialog.showModal();
  }

  openImport() {
    this.host.autoplay.stop();
    const text = h('textarea', { spellcheck: 'false', placeholder: 'Paste a replay here' });
    const error = h('p', { class: 'error', role: 'alert' });
    const game = h('select', {}, ...['', 'threes', 'threes-course', '2048'].map((name) => h('option', { value: name }, name || 'as the replay says')));
    const read = async (event) => {
      event.preventDefault();
      try {
        const track = await post('replay/read', { text: text.value, game: game.value || undefined });
        this.dialog.close();
        this.host.load(track);
        toast(`${track.format}: ${track.moves.length} moves of ${track.game}`);
      } catch (problem) {
        error.textContent = problem.message;
      }
    };
    const file = h('input', {
      type: 'file',
      onchange: async () => { if (file.files[0]) text.value = (await file.files[0].text()).slice(0, 900_000); },
    });
    this.show('Import a replay', h('form', { onsubmit: read },
      h('p', { class: 'faint' }, '2048league, 2048verse, course episodes and our own records are recognised. The first game is read.'),
      h('label', { class: 'block' }, 'Replay', text),
      h('label', { class: 'block' }, 'Or a file', file),
      h('label', { class: 'block' }, 'Game', game), error,
      h('div', { class: 'row' },
        h('button', { type: 'submit', class: 'primary' }, 'Read'),
        h('button', { type: 'button', onclick: () => this.dialog.close() }, 'Cancel'))));
    text.focus();
  }

  openExport() {
    this.host.autoplay.stop();
    const text = h('textarea', { readonly: true, 'aria-label': 'The replay' });
    const error = h('p', { class: 'error', role: 'alert' });
    const format = h('select', {}, ...FORMATS.map(([value, title]) => h('option', { value }, title)));
    const write = async () => {
      error.textContent = '';
      text.value = '';
      try {
        text.value = (await post('replay/write', { ...this.host.session.record(), format: format.value })).text;
      } catch (problem) {
        error.textContent = problem.message;
      }
    };
    const save = () => {
      const ending = FORMATS.find(([value]) => value === format.value)[2];
      const address = URL.createObjectURL(new Blob([`${text.value}\n`], { type: 'text/plain' }));
      h('a', { href: address, download: `game.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    };
    format.addEventListener('change', write);
    this.show('Export this game',
      h('label', { class: 'block' }, 'Format', format), text, error,
      h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', onclick: () => copy(text.value, 'Replay') }, 'Copy'),
        h('button', { type: 'button', onclick: save }, 'Save as a file'),
        h('button', { type: 'button', onclick: () => this.dialog.close() }, 'Close')));
    write();
  }
}
