// The one door to the rules and the players: here a server. On a page without one, written by `afterstate
// site`, site/js/api.js stands in its place, which asks the engine in the browser.
//
// `backend` is what the page asks. A game is `{game, variant}`; a record adds `start`, `moves` and `spawns`. `runs` is
// null where nobody learns. `connection` tells whether anybody answers.

export { backend, connection } from './server.js';
