/**
 * Push messages in a real browser. Of the browser, only its push service is replaced: subscribing gives a subscription of
 * a push service on this machine, and what that one has got and decrypted is handed to the service worker.
 */
import type { EscalationPolicy, Incident } from '@ams/contracts';
import { eventually, startPushService, type PushService } from '@ams/testing';
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { One, Organization } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

let dashboard: Dashboard;
let baseUrl: string;
let acme: Organization;
let pushService: PushService;

beforeAll(async () => {
  dashboard = await openDashboard();
  ({ baseUrl } = dashboard);
  acme = await dashboard.system.organization();
  pushService = await startPushService();
});
afterAll(async () => {
  await dashboard?.close();
  await pushService?.stop();
});

/** In the page: a browser whose push service is ours. */
const replacePushManager = (given: ReturnType<PushService['subscribe']>): string => `{
  const given = ${JSON.stringify(given)};
  const place = 'push service of the test';
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const subscription = (key) => ({
    endpoint: given.endpoint,
    options: { applicationServerKey: bytesOf(key).buffer },
    toJSON: () => given,
    unsubscribe: async () => localStorage.removeItem(place),
  });
  PushManager.prototype.getSubscription = async () => {
    const key = localStorage.getItem(place);
    return key === null ? null : subscription(key);
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const key = btoa(String.fromCharCode(...applicationServerKey));
    localStorage.setItem(place, key);
    return subscription(key);
  };
}`;

async function registrationOf(cdp: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${baseUrl}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return found;
}

interface Shown {
  title: string;
  body: string;
  tag: string;
  silent: boolean;
  actions: string[];
}

const shown = (page: Page): Promise<Shown[]> =>
  page.evaluate(`navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title, body, tag, silent, actions }) =>
      ({ title, body, tag, silent, actions: actions.map(({ action }) => action) })))`);

/**
 * Waits some seconds for a notification. A worker that starts on a busy machine may miss a message that the debugger
 * gives it; a message that is given again takes the place of the first.
 */
const anyShown = `(async () => {
  const registration = await navigator.serviceWorker.ready;
  const end = performance.now() + 5000;
  while ((await registration.getNotifications()).length === 0 && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
})()`;

/** In the worker: what the browser does when a person clicks. A script cannot make an event that may be waited for. */
const clickAcknowledge = (tag: string): string => `(async () => {
  const [notification] = await registration.getNotifications({ tag: ${JSON.stringify(tag)} });
  const event = new NotificationEvent('notificationclick', { notification, action: 'acknowledge' });
  let work;
  Object.defineProperty(event, 'waitUntil', { value: (given) => (work = given) });
  dispatchEvent(event);
  await work;
})()`;

/** The owner at the profile page, with notifications allowed. */
async function atProfile(): Promise<{ visitor: Visitor; section: Locator; endpoint: string }> {
  const visitor = await dashboard.signIn(acme);
  const { page } = visitor;
  const subscription = pushService.subscribe();
  await page.context().grantPermissions(['notifications'], { origin: baseUrl });
  await page.addInitScript(replacePushManager(subscription));
  await page.goto('/settings/profile');
  const section = page.getByRole('region', { name: 'Push messages' });
  return { visitor, section, endpoint: subscription.endpoint };
}

async function switchOn(section: Locator, name: string): Promise<Locator> {
  await section.getByLabel('Name of the device').fill(name);
  await section.getByRole('button', { name: 'Switch on' }).click();
  const device = section.getByRole('listitem').filter({ hasText: name });
  await device.getByText('This browser').waitFor();
  return device;
}

const ownerOf = async (): Promise<{ id: string; name: string }> => {
  const { body } = await acme.api.get<{ data: { id: string; name: string }[] }>('/api/v1/users?role=owner');
  const [owner] = body.data;
  if (!owner) throw new Error('the organization has no owner');
  return owner;
};

/** An incident that tells the owner only. */
async function pageOwner(title: string): Promise<Incident> {
  const policy = await acme.api.post<One<EscalationPolicy>>('/api/v1/escalation-policies', {
    name: title,
    levels: [{ targets: [{ type: 'user', id: (await ownerOf()).id }], escalateAfterSeconds: 86_400 }],
  });
  const policyId = policy.body.data.id;
  return (await acme.api.post<One<Incident>>('/api/v1/incidents', { title, severity: 'critical', policyId })).body.data;
}

/** The message with this text that a browser has got. */
const pushedTo = (endpoint: string, about: string): Promise<string> =>
  eventually(async () => {
    const found = pushService.messages.find((message) => message.endpoint === endpoint && message.text.includes(about));
    expect(found).toBeDefined();
    return Promise.resolve(found?.text ?? '');
  });

/** Gives messages to the service worker until the browser shows what is expected. */
async function deliveryTo(page: Page): Promise<(data: string, expected: object[]) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(cdp);
  return (data, expected) =>
    eventually(async () => {
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: baseUrl, registrationId, data });
      await page.evaluate(anyShown);
      expect(await shown(page)).toMatchObject(expected);
    });
}

it('is switched on after a click, shows a page, and acknowledges it without a page of the dashboard', async () => {
  const { visitor, section, endpoint } = await atProfile();
  const { page, barriers, complaints } = visitor;
  const context = page.context();
  const device = await switchOn(section, 'My phone');
  await section.getByRole('button', { name: 'Switch off' }).waitFor();

  await device.getByRole('button', { name: 'Send a test' }).click();
  await device.getByText('Sent. It appears on the device in a moment.').waitFor();
  expect(pushService.messages.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
    { title: 'A test message', acknowledge: null, open: null },
  ]);
  expect(await barriers()).toEqual([]);

  const { id, number } = await pageOwner('Checkout is slow');
  await (
    await deliveryTo(page)
  )(await pushedTo(endpoint, id), [
    { title: `[#${number} CRITICAL] Checkout is slow`, tag: id, actions: ['acknowledge', 'open'] },
  ]);

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await context.clearCookies();
  await worker.evaluate(clickAcknowledge(id));
  await eventually(async () =>
    expect(await shown(page)).toMatchObject([{ title: 'You have acknowledged it', tag: id, actions: ['open'] }]),
  );
  const after = await acme.api.get<One<Incident>>(`/api/v1/incidents/${id}`);
  expect(after.body.data).toMatchObject({
    status: 'acknowledged',
    acknowledgedBy: { type: 'user', id: (await ownerOf()).id },
  });
  expect(complaints).toEqual([]);
});

it('an acknowledgement on one device takes the button of the other one away, without a sound', async () => {
  const [phone, laptop] = [await atProfile(), await atProfile()];
  await switchOn(phone.section, 'Phone');
  await switchOn(laptop.section, 'Laptop');
  const { id, number } = await pageOwner('Queue grows');
  const page = [{ title: `[#${number} CRITICAL] Queue grows`, tag: id, actions: ['acknowledge', 'open'] }];
  const deliver = await deliveryTo(laptop.visitor.page);
  await deliver(await pushedTo(laptop.endpoint, id), page);

  const { acknowledge } = JSON.parse(await pushedTo(phone.endpoint, id)) as { acknowledge: string };
  expect((await fetch(new URL(acknowledge, baseUrl), { method: 'POST' })).status).toBe(200);
  const { name } = await ownerOf();
  const update = await pushedTo(laptop.endpoint, 'Acknowledged by');
  await deliver(update, [
    {
      title: `[#${number} ACKNOWLEDGED] Queue grows`,
      body: `Acknowledged by ${name}.`,
      tag: id,
      silent: true,
      actions: ['open'],
    },
  ]);
  await pushedTo(phone.endpoint, 'Acknowledged by');
});

it('says when the push service does not know the browser any more', async () => {
  const { visitor, section, endpoint } = await atProfile();
  const { page } = visitor;
  const device = await switchOn(section, 'My tablet');
  pushService.answer = (to) => ({ status: to === endpoint ? 410 : 201 });
  await device.getByRole('button', { name: 'Send a test' }).click();
  await device.getByText('does not know the device any more').waitFor();
  await page.reload();
  await device.getByText('The browser does not receive push messages any more.').waitFor();
  await section.getByRole('button', { name: 'Switch on' }).waitFor();
  await device.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await device.waitFor({ state: 'detached' });
});
