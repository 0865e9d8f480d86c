// The last games in a store that survives a browser that is killed. What goes to `localStorage` waits up to a minute
// in the memory of the browser before it reaches the disk; this store hands it to the system at once.

const NAME = 'afterstate';
const STORE = 'journal';
/** How many games are written down: one for every tab that is likely to be open. */
const MOST = 4;

let opened = null;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
  });
  return opened;
}

/** Runs one transaction; a browser that forbids the store keeps no journal, and the page goes on. */
async function work(mode, does, otherwise) {
  try {
    const transaction = (await database()).transaction(STORE, mode);
    return await new Promise((resolve, reject) => {
      const request = does(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return otherwise;
  }
}

/** Writes a game down: `{id, when, …}`. The oldest ones go. */
export function note(game) {
  return work('readwrite', (store) => {
    store.put(game);
    const all = store.getAll();
    all.onsuccess = () => {
      const old = all.result.sort((a, b) => b.when - a.when).slice(MOST);
      for (const { id } of old) store.delete(id);
    };
  });
}

export const strike = (id) => work('readwrite', (store) => { store.delete(id); });

/** All games that were written down. */
export const readJournal = () => work('readonly', (store) => store.getAll(), []);
