import { createSign } from 'node:crypto';
import { handshakeSubject, newUuid } from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { eventually } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { selfSigned } from '../../testing/certificate.js';
import { post, startWorld, type World } from '../../testing/harness.js';
import { confirmSubscription, signedText, snsUrl, type Fetch } from './sns.js';

const { pem, privateKey } = selfSigned();
const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
const subscribeUrl =
  'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:1:alerts&Token=abc';

function message(overrides: Record<string, unknown> = {}, version: '1' | '2' = '1'): Record<string, unknown> {
  const unsigned: Record<string, unknown> = {
    Type: 'SubscriptionConfirmation',
    MessageId: '165545c9',
    Token: 'abc',
    TopicArn: 'arn:aws:sns:eu-west-1:1:alerts',
    Message: 'You have chosen …\nto subscribe',
    SubscribeURL: subscribeUrl,
    Timestamp: '2026-11-20T13:00:00.000Z',
    SignatureVersion: version,
    SigningCertURL: certificateUrl,
    ...overrides,
  };
  const Signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(signedText(unsigned) ?? '')
    .sign(privateKey, 'base64');
  return { ...unsigned, Signature };
}

/** A stub of Amazon SNS: it serves the certificate, answers the confirmation, and records the calls. */
function amazon(answers: { certificate?: () => Response; confirmation?: () => Response } = {}): {
  visits: string[];
  fetch: Fetch;
} {
  const visits: string[] = [];
  return {
    visits,
    fetch: (url, { redirect }) => {
      expect(redirect).toBe('manual');
      visits.push(url);
      return Promise.resolve(
        url === certificateUrl
          ? (answers.certificate?.() ?? new Response(pem))
          : (answers.confirmation?.() ?? new Response('<ok/>')),
      );
    },
  };
}

const confirm = (payload: unknown, { fetch } = amazon()) => confirmSubscription(JSON.stringify(payload), fetch);

describe('a confirmation', () => {
  it.each(['1', '2'] as const)('is sent when signature version %s is valid', async (version) => {
    const outside = amazon();
    expect(await confirm(message({}, version), outside)).toEqual({ kind: 'confirmed' });
    expect(outside.visits).toEqual([certificateUrl, subscribeUrl]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a changed message', { ...message(), TopicArn: 'arn:aws:sns:eu-west-1:2:others' }],
    ['a changed URL', { ...message(), SubscribeURL: subscribeUrl.replace('abc', 'xyz') }],
    ['no signature', { ...message(), Signature: undefined }],
    ['another version', { ...message(), SignatureVersion: '3' }],
    ['one of another type', message({ Type: 'Notification' })],
    ['one that ends a subscription', message({ Type: 'UnsubscribeConfirmation' })],
    [
      'a URL that does something else',
      message({ SubscribeURL: subscribeUrl.replace('ConfirmSubscription', 'Unsubscribe') }),
    ],
    ['a field that is not a text', message({ Token: 5 })],
    ['a list', [] as never],
  ])('is refused for %s, without a request to the URL', async (_, payload) => {
    const outside = amazon();
    expect((await confirm(payload, outside)).kind).toBe('refused');
    expect(outside.visits).not.toContain(payload['SubscribeURL']);
  });

  const elsewhere = [
    'http://sns.eu-west-1.amazonaws.com/',
    'https://sns.eu-west-1.amazonaws.com.evil.test/',
    'https://evil.test/sns.eu-west-1.amazonaws.com/',
    'https://user@sns.eu-west-1.amazonaws.com/',
    'https://sns.eu-west-1.amazonaws.com:8443/',
    'https://sns.evil.test#.amazonaws.com/',
    'https://s3.amazonaws.com/',
    'https://sns.a.b.amazonaws.com/',
    'https://snsx.eu-west-1.amazonaws.com/',
    'https://169.254.169.254/',
    'https://sns.eu-west-1.amazonaws.com.cn.evil.test/',
    'file:///etc/passwd',
    '',
    'x',
  ];
  it.each(elsewhere)('is sent only to Amazon, not to %s', async (url) => {
    expect(snsUrl(url)).toBeNull();
    for (const overrides of [
      { SigningCertURL: `${url}x.pem` },
      { SubscribeURL: `${url}?Action=ConfirmSubscription` },
    ]) {
      const outside = amazon();
      expect((await confirm(message(overrides), outside)).kind).toBe('refused');
      expect(outside.visits).toEqual([]);
    }
  });

  it('accepts hosts of SNS in China, also for certificates', async () => {
    expect(snsUrl('https://sns.cn-north-1.amazonaws.com.cn/')).not.toBeNull();
    expect((await confirm(message({ SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/cert.txt' }))).kind).toBe(
      'refused',
    );
  });

  it('follows no redirect, and can be tried again', async () => {
    const moved = () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } });
    expect(await confirm(message(), amazon({ certificate: moved }))).toEqual({
      kind: 'failed',
      why: 'the certificate could not be fetched: status 302',
    });
    expect((await confirm(message(), amazon({ confirmation: moved }))).kind).toBe('failed');
    expect((await confirm(message(), amazon({ certificate: () => new Response('x'.repeat(100_000)) }))).kind).toBe(
      'failed',
    );
    expect((await confirm(message(), { visits: [], fetch: () => Promise.reject(new Error('down')) })).kind).toBe(
      'failed',
    );
  });
});

describe('through the gateway', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.end());

  const notes = async (integrationId: string) =>
    (await world.loggedRequests())
      .filter((d) => d.integrationId === integrationId)
      .map(({ outcome, note }) => `${outcome}: ${note}`);

  it('is answered at once, confirmed later, and shown in the request log', async () => {
    const outside = amazon();
    const [{ url }] = await Promise.all([world.gateway({}, outside.fetch), world.gateway({}, outside.fetch)]);
    const { token, integration } = await world.integration({ settings: presetSettings('cloudwatch') });
    const { status, body } = await post(url, token, message(), {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': 'SubscriptionConfirmation',
    });
    expect([status, body.data!.events]).toEqual([200, []]);
    await eventually(async () =>
      expect(await notes(integration.id)).toEqual(
        expect.arrayContaining(['handshake: waiting to be confirmed', 'handshake: confirmed']),
      ),
    );
    expect(outside.visits).toEqual([certificateUrl, subscribeUrl]);
    expect(new Set((await world.loggedRequests()).map(({ id }) => id)).size).toBe(1);
    expect(await world.events()).toEqual([]);
  });

  it('is confirmed when an earlier release wrote its task', async () => {
    const outside = amazon();
    await world.gateway({}, outside.fetch);
    const { integration } = await world.integration({ settings: presetSettings('cloudwatch') });
    const id = newUuid();
    const task = {
      integration: { id: integration.id, organizationId: integration.organizationId, environment: 'live' },
      deliveryId: id,
      receivedAt: new Date().toISOString(),
      requestId: 'r',
      contentType: 'text/plain',
      payload: JSON.stringify(message()),
    };
    await jetstream(world.connection).publish(handshakeSubject, JSON.stringify(task));
    await eventually(async () =>
      expect(await world.loggedRequests()).toMatchObject([{ id, outcome: 'handshake', note: 'confirmed' }]),
    );
  });

  it('is not confirmed when the request is not from Amazon', async () => {
    const outside = amazon();
    const { url } = await world.gateway({}, outside.fetch);
    const { token, integration } = await world.integration({ settings: presetSettings('cloudwatch') });
    expect((await post(url, token, { ...message(), Signature: 'EXAMPLE==' })).status).toBe(200);
    await eventually(async () =>
      expect(await notes(integration.id)).toContain('handshake: refused: the signature does not verify'),
    );
    expect(outside.visits).toEqual([certificateUrl]);
  });
});
