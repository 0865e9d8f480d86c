// Games in and out, in the formats of other programs. The server reads and writes them.

import { backend } from './api.js';
import { byId, button, copy, h, number, option, toast } from './dom.js';
import { Session } from './session.js';
import { gameWords, t } from './words.js';
import { parseGame } from './rules.js';

const FORMATS = [['ours', 'jsonl'], ['league', 'league'], ['verse', 'verse'], ['episode', 'episode']];
/** How much of a file is read, and how many of its games. */
const LONGEST = 900_000;
const MOST_GAMES = 40;

/** What a line looks like that is surely of a format, whatever else is wrong with it. */
const KNOWN = [/^\s*\{"/, /^[1-8]x[1-8]-/, /^[^|]*@\d+\|/];

export class Replays {
  constructor(host) {
    this.host = host;
    this.dialog = byId('replays');
  }

  show(title, ...content) {
    this.dialog.replaceChildren(h('h2', { id: 'replays-title' }, title), ...content);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Reads every line; what is of no format says which there are. */
  async read(text, game) {
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim()).slice(0, MOST_GAMES);
    if (lines.length === 0) throw new Error(t('import.empty'));
    const tracks = [];
    for (const line of lines) {
      try {
        tracks.push(await backend.readReplay({ text: line, game: game || undefined }));
      } catch (problem) {
        if (problem.lost) throw new Error(t('values.lost'));
        const known = KNOWN.some((pattern) => pattern.test(line));
        const where = lines.length > 1 ? t('import.line', { number: tracks.length + 1 }) : '';
        throw new Error(where + (known ? problem.message : this.unknown(problem.message)));
      }
    }
    return tracks;
  }

  /** What the formats look like, and what stands in the way of the least particular one. */
  unknown(message) {
    const told = t('import.unknown');
    return message.startsWith('it is no replay') ? told : `${told} ${t('import.unknown.last', { message })}`;
  }

  /** Whether a text is a position of the game on the board, which is then played from. */
  async position(text) {
    const { rules } = this.host.session;
    if (!/^[\dA-Za-z]+[\s/,]/.test(text) && !text.startsWith('0x')) return false;
    try {
      this.host.games.use(await backend.position({ ...rules, position: text }), rules.variant);
      return true;
    } catch {
      return false;
    }
  }

  openImport() {
    this.host.autoplay.stop();
    const text = h('textarea', { spellcheck: 'false', placeholder: t('import.paste') });
    const error = h('p', { class: 'error', role: 'alert' });
    const game = h('select', {}, option('', t('import.itself')), ...['threes', 'threes-course', '2048'].map((name) => option(name, gameWords(parseGame(name)))));
    const submit = h('button', { type: 'submit', class: 'primary' }, t('import.read'));
    const read = async (event) => {
      event.preventDefault();
      submit.disabled = true;
      error.textContent = '';
      try {
        const link = /#\/play\?\S+/.exec(text.value);
        if (link) {
          this.dialog.close();
          window.location.hash = link[0];
          return;
        }
        const tracks = await this.read(text.value, game.value);
        this.dialog.close();
        const others = await this.host.games.load(tracks);
        const [track] = tracks;
        const told = t('import.done', { format: track.format, moves: number(track.moves.length), game: gameWords(parseGame(track.game)) });
        toast(others ? `${told} ${t('import.others', { others })}` : told, 'info', this.host.games.past.length ? [t('game.new.undo'), () => this.host.games.comeBack()] : null);
      } catch (problem) {
        if (await this.position(text.value.trim())) this.dialog.close();
        else error.textContent = problem.message;
      } finally {
        submit.disabled = false;
      }
    };
    const file = h('input', {
      type: 'file',
      onchange: async () => { if (file.files[0]) text.value = (await file.files[0].text()).slice(0, LONGEST); },
    });
    this.show(t('import.title'), h('form', { onsubmit: read },
      h('p', { class: 'faint' }, t('import.about')),
      h('label', { class: 'block' }, t('import.replay'), text),
      h('label', { class: 'block' }, t('import.file'), file),
      h('label', { class: 'block' }, t('import.game'), game), error,
      h('div', { class: 'row' }, submit, button(t('cancel'), () => this.dialog.close()))));
    text.focus();
  }

  /** The texts of all lines of the tree: ours holds every variation as a record of its own, the others the main line. */
  async write(format) {
    const { session } = this.host;
    const path = (node) => { const line = []; for (let one = node; one; one = one.parent) line.unshift(one); return line; };
    const ends = [Session.end(session.root), ...(format === 'ours' ? session.variations.map((first) => Session.end(first)) : [])];
    const texts = [];
    for (const end of ends) texts.push(await backend.writeReplay({ ...session.record(0, path(end)), format }));
    return texts.map((text) => text.trimEnd()).join('\n');
  }

  openExport() {
    this.host.autoplay.stop();
    const text = h('textarea', { readonly: true, 'aria-label': t('import.replay') });
    const error = h('p', { class: 'error', role: 'alert' });
    const format = h('select', {}, ...FORMATS.map(([value]) => option(value, t(`format.${value}`))));
    const write = async () => {
      const wanted = format.value;
      error.textContent = '';
      text.value = '';
      try {
        const written = await this.write(wanted);
        if (format.value === wanted) text.value = written;
      } catch (problem) {
        error.textContent = problem.lost ? t('values.lost') : problem.message;
      }
    };
    const save = () => {
      const [, ending] = FORMATS.find(([value]) => value === format.value);
      const address = URL.createObjectURL(new Blob([`${text.value}\n`], { type: 'text/plain' }));
      h('a', { href: address, download: `game.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    };
    format.addEventListener('change', write);
    this.show(t('export.title'),
      h('label', { class: 'block' }, t('export.format'), format), text,
      this.host.session.variations.length ? h('p', { class: 'faint' }, t('export.variations')) : '', error,
      h('div', { class: 'row' },
        button(t('export.copy'), () => copy(text.value, t('copied', { what: t('import.replay') }), t('export.select')), { class: 'primary' }),
        button(t('export.save'), save),
        button(t('close'), () => this.dialog.close())));
    write();
  }
}
