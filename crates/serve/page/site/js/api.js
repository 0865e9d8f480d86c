// The door of a page without a server: `afterstate site` puts it in the place of the other api.js, which says more.

export { backend, connection } from './local.js';
