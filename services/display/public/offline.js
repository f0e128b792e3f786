// Keeps the page's own files, so that it opens at once and also while the
// machine that serves it is away. Calls and streams always go to the network.
const SHELF = "tilewarden-1";

self.addEventListener("install", (event) => event.waitUntil(stock().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.url.includes("/assets/") ? fromShelf(request) : fromNetwork(request));
});

// Texts of the languages are files of their own, named after them. Of these only the reader's are
// fetched ahead; one that is chosen later is kept then.
const isUnread = (name) => /^[a-z]{2}-/.test(name) && !self.navigator.languages.some((language) => name.startsWith(`${language.slice(0, 2)}-`));

// The page and the assets it names, and those that they name.
async function stock() {
  const shelf = await caches.open(SHELF);
  const known = new Set();
  const fetchAll = async (address) => {
    if (known.has(address)) return;
    known.add(address);
    const response = await fetch(address);
    if (!response.ok) return;
    await shelf.put(address, response.clone());
    if (!/\.(js|html)$|\/$/.test(new URL(address).pathname)) return;
    const names = (await response.text()).match(/[\w-]+-[\w-]{8}\.(?:js|css)\b/g) ?? [];
    // A hall, a streamer's overlay, the list of players, a phone that is the camera, and what is done once with a camera are
    // of no use without the network, and the story of a game is read from the service; what draws it
    // stays once somebody wanted it.
    const wanted = names.filter((name) => !/^(calibrate|enrol|hall|overlay|phone|picture_worker|player_list|story)-/.test(name) && !isUnread(name));
    await Promise.all(wanted.map((name) => fetchAll(new URL(`assets/${name}`, self.registration.scope).href)));
  };
  await fetchAll(self.registration.scope);
}

// Files under assets/ carry their content's mark in their name: they never change.
async function fromShelf(request) {
  return (await caches.match(request)) ?? keep(request);
}

async function fromNetwork(request) {
  try {
    return await keep(request);
  } catch (error) {
    const address = request.mode === "navigate" ? self.registration.scope : request;
    const kept = await caches.match(address, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

async function keep(request) {
  const response = await fetch(request);
  if (response.ok) {
    const shelf = await caches.open(SHELF);
    await shelf.put(request, response.clone());
    if (request.mode === "navigate") await clear(shelf, response.clone());
  }
  return response;
}

// Of the assets only those that the present page names are kept.
async function clear(shelf, page) {
  const text = await page.text();
  for (const kept of await shelf.keys()) {
    const name = new URL(kept.url).pathname.split("/").pop() ?? "";
    if (kept.url.includes("/assets/index-") && !text.includes(name)) await shelf.delete(kept);
  }
}
