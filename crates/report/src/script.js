// Games that step and play. Without script their still boards stay.
for (const game of document.querySelectorAll('.game[data-boards]')) {
  const boards = game.dataset.boards.split(' ').map((one) => one.split('.'));
  const labels = game.dataset.labels.split(' ');
  const columns = Number(game.dataset.columns);
  const make = (tag, props) => Object.assign(document.createElement(tag), props);
  const live = make('div', { className: 'live-only' });
  const board = make('div', { className: 'board' });
  board.setAttribute('role', 'img');
  board.style.setProperty('--columns', columns);
  const controls = make('div', { className: 'controls' });
  const said = make('div', { className: 'said' });
  const name = game.querySelector('figcaption').textContent;
  const button = (text, label, act) => {
    const one = make('button', { type: 'button', textContent: text });
    one.setAttribute('aria-label', label);
    one.addEventListener('click', act);
    controls.append(one);
    return one;
  };
  let at = boards.length - 1;
  let timer = 0;
  const show = (next) => {
    at = Math.max(0, Math.min(boards.length - 1, next));
    const [ranks, score, moves] = boards[at];
    const tiles = [...ranks].map((rank) => parseInt(rank, 36));
    board.replaceChildren(...tiles.map((rank) => {
      const text = rank ? labels[rank] : '';
      return make('b', { className: rank ? `r${Math.min(rank, 17)} l${text.length}` : '', textContent: text });
    }));
    board.setAttribute('aria-label', `Board: ${tiles.map((rank) => labels[rank]).join(' ')}`);
    said.textContent = `move ${parseInt(moves, 36).toLocaleString('en')} · ${parseInt(score, 36).toLocaleString('en')} points`;
    slider.value = at;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = '▶';
    play.setAttribute('aria-label', 'Play');
  };
  const step = (by) => () => { stop(); show(at + by); };
  button('‹', 'One move back', step(-1));
  const play = button('▶', 'Play', () => {
    if (timer) return stop();
    if (at === boards.length - 1) show(0);
    play.textContent = '❚❚';
    play.setAttribute('aria-label', 'Pause');
    timer = setInterval(() => (at === boards.length - 1 ? stop() : show(at + 1)), 100);
  });
  button('›', 'One move on', step(1));
  const slider = make('input', { type: 'range', min: 0, max: boards.length - 1 });
  slider.setAttribute('aria-label', `Moves of: ${name}`);
  slider.addEventListener('input', () => { stop(); show(Number(slider.value)); });
  controls.append(slider);
  live.append(board, controls, said);
  game.prepend(live);
  game.classList.add('live');
  show(at);
}
