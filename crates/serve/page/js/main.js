// Which view is shown, and the theme.

import { Assistant } from './assistant.js';
import { byId } from './dom.js';
import { Play } from './play.js';
import { readAddress } from './share.js';
import { Training } from './training.js';

const views = ['play', 'assistant', 'training'];
let play;
let assistant;
let training;

function show() {
  const address = readAddress();
  const view = views.includes(address.view) ? address.view : 'play';
  for (const name of views) {
    byId(`view-${name}`).hidden = name !== view;
    const link = document.querySelector(`nav a[data-view="${name}"]`);
    if (name === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = { play: 'afterstate: play, watch, analyse', assistant: 'afterstate: Threes assistant', training: 'afterstate: training' }[view];
  if (view !== 'play') play?.leave();
  if (view !== 'training') training?.leave();
  if (view === 'play') {
    const first = !play;
    play ??= new Play();
    if (first || address.position || address.game) {
      play.open(address).then(() => { if (address.auto) play.beginAuto(); });
    }
  } else if (view === 'assistant') {
    assistant ??= new Assistant(byId('view-assistant'));
  } else {
    training ??= new Training(byId('view-training'));
    training.enter(address.run);
  }
}

/** As the system has it, unless the button said otherwise. */
function theme() {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = localStorage.getItem('theme') ?? (dark.matches ? 'dark' : 'light');
    document.documentElement.dataset.theme = chosen;
    byId('theme').setAttribute('aria-label', chosen === 'dark' ? 'Switch to light' : 'Switch to dark');
  };
  dark.addEventListener('change', apply);
  byId('theme').addEventListener('click', () => {
    localStorage.setItem('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    apply();
  });
  apply();
}

theme();
window.addEventListener('hashchange', show);
show();
