// The requests that a server and the engine in the browser answer alike.

/** What the page asks of those who know the rules, over `ask(path, body, signal)`. */
export function requests(ask) {
  const written = async (record) => (await ask('replay/write', record)).text;
  return {
    newGame: (game, signal) => ask('game', game, signal),
    position: (asked) => ask('position', asked),
    move: (asked) => ask('move', asked),
    outcomes: (asked) => ask('outcomes', asked),
    analyze: (asked, signal) => ask('analyze', asked, signal),
    play: (asked, signal) => ask('play', asked, signal),
    readReplay: (asked) => ask('replay/read', asked),
    writeReplay: written,
    /** All positions and points of a record. */
    track: async (record) => ask('replay/read', { text: await written({ ...record, format: 'ours' }) }),
  };
}
