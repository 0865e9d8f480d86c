// Which view is shown, the theme and the language.

import { Assistant } from './assistant.js';
import { banner } from './banner.js';
import { backend, connection } from './api.js';
import { byId, kept, noToast } from './dom.js';
import { Play } from './play.js';
import { Puzzles } from './puzzles.js';
import { readAddress } from './share.js';
import { Training } from './training.js';
import { language, otherLanguage, t, translate } from './words.js';

const views = ['play', 'puzzles', 'assistant', ...(backend.runs ? ['training'] : [])];
const made = {};
let shown = null;

function show() {
  const address = readAddress();
  const view = views.includes(address.view) ? address.view : 'play';
  for (const name of views) {
    byId(`view-${name}`).hidden = name !== view;
    const link = document.querySelector(`nav a[data-view="${name}"]`);
    if (name === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (name !== view) made[name]?.leave?.();
  }
  if (shown && shown !== view) noToast();
  shown = view;
  document.title = `afterstate: ${t(`nav.${view}`)}`;
  if (view === 'play') openPlay(address);
  else if (view === 'puzzles') (made.puzzles ??= new Puzzles(byId('view-puzzles'))).enter();
  else if (view === 'assistant') made.assistant ??= new Assistant(byId('view-assistant'));
  else (made.training ??= new Training(byId('view-training'))).enter(address.run);
}

function openPlay(address) {
  const first = !made.play;
  made.play ??= new Play();
  if (!first && !address.position && !address.game && !address.auto) {
    made.play.show('stop');
    return;
  }
  const open = () => made.play.games.open(address, first).then(() => { if (address.auto) made.play.watch(); });
  // A server that is gone while the page opens is waited for.
  open().then(() => { if (!connection.up) connection.back().then(() => { if (!made.play.session.created) open(); made.play.controls.refresh(); }); });
}

/** As the system has it, unless the button said otherwise. */
function theme() {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = kept.read('look') ?? (dark.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = chosen;
    byId('theme').setAttribute('aria-label', t(chosen === 'dark' ? 'theme.light' : 'theme.dark'));
  };
  dark.addEventListener('change', apply);
  byId('theme').addEventListener('click', () => {
    kept.write('look', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    apply();
  });
  apply();
}

/** The other language: the page is opened again, and the game with it. */
function languages() {
  const other = byId('language');
  other.textContent = t('language.other');
  other.lang = otherLanguage;
  other.addEventListener('click', () => {
    made.play?.games.keep();
    kept.write('language', otherLanguage);
    window.location.reload();
  });
}

document.querySelector('nav a[data-view="training"]').hidden = !backend.runs;
document.documentElement.lang = language;
translate(document.body);
theme();
languages();
banner();
window.addEventListener('hashchange', show);
show();
