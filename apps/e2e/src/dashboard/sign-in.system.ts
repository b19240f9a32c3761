/** The ways in, in a real browser: by invitation, with a second factor, by passkey, after a reset, by a provider. */
import { uuidOf } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type { Page } from 'playwright-core';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the provider with which auth itself is tested
import { TestProvider } from '../../../auth/testing/test-provider.js';
import { openIdOrganization } from '../system/shared-system.js';
import type { Organization } from '../system.js';
import { codeOf } from './authenticator-app.js';
import { openDashboard, type Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

let dashboard: Dashboard;
let acme: Organization;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
});
afterAll(() => dashboard?.close());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The link in the newest mail to the address whose subject has the words. */
async function mailedLink(email: string, words: string): Promise<string> {
  return eventually(async () => {
    const mail = (await dashboard.system.mails(email)).findLast(({ subject }) => subject.includes(words));
    const [link] = /http:\/\/localhost\S+/.exec(mail?.text ?? '') ?? [];
    if (link === undefined) throw new Error(`no link: ${JSON.stringify(await dashboard.system.mails(email))}`);
    return link;
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
}

async function answerWithCode(page: Page, code: string): Promise<void> {
  await heading(page, 'One more step');
  await page.getByLabel('Code').fill(code);
  await press(page, 'Continue');
}

describe('somebody who is invited', () => {
  const email = `mira-${crypto.randomUUID()}@example.com`;
  const password = 'four quiet ducks at noon';
  let mira: Visitor;
  let page: Page;
  let recoveryCodes: string[] = [];

  beforeAll(async () => {
    mira = await dashboard.visit();
    ({ page } = mira);
  });

  it('joins by the mail, sets a password and is in', async () => {
    const owner = await dashboard.signIn(acme);
    await owner.page.goto('/settings/members');
    await owner.page.getByRole('button', { name: 'Invite a member' }).click();
    const form = owner.page.getByRole('dialog');
    await form.getByLabel('Name').fill('Mira Okafor');
    await form.getByLabel('E-mail address').fill(email);
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await owner.page.getByText(`The invitation to ${email} is on its way.`).waitFor();
    await owner.close();

    await page.goto(await mailedLink(email, 'You are invited'));
    await heading(page, /^Join /);
    expect(await mira.barriers()).toEqual([]);
    await page.getByLabel('New password').fill(password);
    await press(page, 'Join');
    await heading(page, 'Now');
  });

  it('sets up an authenticator app, and needs a code of it at the next sign-in', async () => {
    await page.goto('/settings/profile');
    await press(page, 'Set up');
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').innerText();
    await dialog.getByLabel('Code').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'I have stored them' }).waitFor();
    recoveryCodes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
    expect(recoveryCodes).toHaveLength(10);
    await press(page, 'I have stored them');
    await signOut(page);

    await signIn(page, email, 'not this one at all');
    await page.getByText('The address or the password is wrong.').waitFor();
    await signIn(page, email, password);
    await answerWithCode(page, '000000');
    await page.getByText('This code is wrong, or was used before.').waitFor();
    expect(await mira.barriers()).toEqual([]);
    await answerWithCode(page, codeOf(secret, { stepsLater: 1 }));
    await heading(page, 'Now');
  });

  it('comes in with a recovery code, once', async () => {
    const [code = ''] = recoveryCodes;
    await signOut(page);
    await signIn(page, email, password);
    await answerWithCode(page, code);
    await heading(page, 'Now');
    await page.goto('/settings/profile');
    await page.getByText('9 not used').waitFor();
  });

  it('adds a passkey, and signs in with it alone', async () => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.getByLabel('Name of the passkey').fill('This phone');
    await press(page, 'Add a passkey');
    await page.getByText('The passkey is added.').waitFor();
    await signOut(page);
    await press(page, 'Sign in with a passkey');
    await heading(page, 'Now');
  });

  it('is asked for the second factor after a link of the operator too', async () => {
    await signOut(page);
    await page.goto(await dashboard.system.signInLink(acme, dashboard.baseUrl, email));
    await answerWithCode(page, recoveryCodes[1] ?? '');
    await heading(page, 'Now');
  });

  it('who forgot the password sets a new one by mail; the second factor is still asked for', async () => {
    const next = 'six loud geese at midnight';
    await signOut(page);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'New password');
    await page.getByLabel('E-mail address').fill(email);
    await press(page, 'Send the link');
    await page.getByText('a mail is on its way').waitFor();
    await page.goto(await mailedLink(email, 'Choose a new password'));
    await page.getByLabel('New password').fill(next);
    await press(page, 'Set the password');
    await page.getByText('Your new password is set.').waitFor();
    await page.getByRole('link', { name: 'Go to the sign-in' }).click();
    await signIn(page, email, password);
    await page.getByText('The address or the password is wrong.').waitFor();
    await signIn(page, email, next);
    await heading(page, 'One more step');
    await press(page, 'Use a passkey');
    await heading(page, 'Now');
    expect(mira.complaints).toEqual([]);
  });
});

describe('by the OpenID provider', () => {
  let provider: TestProvider;

  beforeAll(async () => {
    const { system, baseUrl } = dashboard;
    provider = await TestProvider.start(`${baseUrl}/sign-in/openid`, system.openIdPort);
    const other = await system.organization();
    await system.sql('UPDATE auth.organizations SET slug = $2 WHERE id = $1', [
      uuidOf('organization', other.id),
      openIdOrganization,
    ]);
  });
  afterAll(() => provider?.stop());
  afterEach(() => (provider.tamper = null));

  it('somebody comes in, and sees the page that was wanted', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    provider.person = { sub: crypto.randomUUID(), email, email_verified: true, name: 'Ola Berg' };
    const { page, complaints } = await dashboard.visit();
    await page.goto('/alerts?status=firing');
    await press(page, 'Sign in with Example login');
    await heading(page, 'Alerts');
    expect(new URL(page.url()).search).toBe('?status=firing');
    expect(complaints).toEqual([]);
  });

  it.each<[string, NonNullable<TestProvider['tamper']>]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another' })],
    ['an expiry in the past', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 600 })],
  ])('an id token with %s is refused, and nobody is signed in', async (_what, tamper) => {
    provider.person = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com`, email_verified: true };
    provider.tamper = tamper;
    const { page } = await dashboard.visit();
    await page.goto('/sign-in');
    await press(page, 'Sign in with Example login');
    await page.getByText('The sign-in with the provider did not work.').waitFor();
    expect((await page.request.get('/api/v1/session')).status()).toBe(401);
  });

  it('an answer with another state is refused, and nobody is signed in', async () => {
    provider.person = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com`, email_verified: true };
    const { page } = await dashboard.visit();
    await page.route(`${provider.issuer}/auth**`, (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('state', 'another');
      return route.continue({ url: url.href });
    });
    await page.goto('/sign-in');
    await press(page, 'Sign in with Example login');
    await page.getByText('The sign-in with the provider did not work.').waitFor();
    expect((await page.request.get('/api/v1/session')).status()).toBe(401);
  });
});
