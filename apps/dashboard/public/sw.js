// The service worker: it makes the dashboard installable, shows a page of its own when there is no network, and shows push
// messages as notifications. It keeps no data: an alert that is not current is worse than none.
const cacheName = 'offline-1';
const offlinePage = '/offline.html';

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll([offlinePage, '/offline.css', '/icon.svg']))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match(offlinePage)));
  } else if (new URL(request.url).pathname === '/offline.css') {
    event.respondWith(caches.match(request).then((cached) => cached ?? fetch(request)));
  }
});

// Push messages: the notifier makes them (apps/notifier/src/push/push-payload.ts). Those about one incident have one tag,
// so a later one takes the place of the earlier one.
const acknowledgeAction = { action: 'acknowledge', title: 'Acknowledge' };
const openAction = { action: 'open', title: 'Open' };

self.addEventListener('push', (event) => {
  const { title, body, tag, silent, open, acknowledge } = event.data.json();
  event.waitUntil(show(title, { body, silent, requireInteraction: acknowledge !== null }, { tag, open, acknowledge }));
});

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  if (action === acknowledgeAction.action) {
    event.waitUntil(acknowledge(notification.data));
  } else {
    notification.close();
    event.waitUntil(openPage(notification.data.open));
  }
});

// `about` stays with the notification: what its actions need.
function show(title, options, about) {
  return self.registration.showNotification(title, {
    ...options,
    tag: about.tag,
    renotify: !options.silent,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    actions: [...(about.acknowledge ? [acknowledgeAction] : []), ...(about.open ? [openAction] : [])],
    data: about,
  });
}

// The link is the permission: no page needs to be open, and nobody needs to be signed in.
async function acknowledge(about) {
  const { title, lines, canRetry } = await post(about.acknowledge);
  const options = { body: lines.join('\n'), silent: true, requireInteraction: canRetry };
  await show(title, options, { ...about, acknowledge: canRetry ? about.acknowledge : null });
}

async function post(link) {
  try {
    const response = await fetch(ownAddress(link), {
      method: 'POST',
      headers: { accept: 'application/json' },
      credentials: 'omit',
    });
    const { title, lines, canRetry } = await response.json();
    if (typeof title === 'string' && Array.isArray(lines)) return { title, lines, canRetry };
  } catch {
    // no network, or no answer of the service
  }
  return { title: 'This did not work', lines: ['The service cannot be reached.'], canRetry: true };
}

// A page that shows it already comes to the front. Others stay as they are: somebody may be writing there.
async function openPage(path) {
  const address = ownAddress(path ?? '/');
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = pages.find(({ url }) => placeOf(url) === placeOf(address));
  await (shown ? shown.focus() : self.clients.openWindow(address));
}

// Path and environment: the filters and the open tab of a page do not matter.
function placeOf(address) {
  const { pathname, searchParams } = new URL(address);
  return `${pathname} ${searchParams.get('env') ?? 'live'}`;
}

function ownAddress(path) {
  const { pathname, search } = new URL(path, self.location.origin);
  return self.location.origin + pathname + search;
}
