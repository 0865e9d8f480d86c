// The page without a network: all its files are kept at the first visit, and come from there ever after. Another version
// is another cache; it takes over when the last window with the old one is closed.

const VERSION = '@VERSION@';
const FILES = [/*FILES*/];

const kept = async () => {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
};

const forget = async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith('afterstate-') && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
};

const found = async (request) => (await (await caches.open(VERSION)).match(request, { ignoreSearch: true })) ?? fetch(request);

self.addEventListener('install', (event) => event.waitUntil(kept()));
self.addEventListener('activate', (event) => event.waitUntil(forget().then(() => self.clients.claim())));
self.addEventListener('fetch', (event) => { if (event.request.method === 'GET') event.respondWith(found(event.request)); });
