import { beginOpenIdSignIn, getSignInMethods, type OpenIdRedirect } from '@ams/contracts';
import { callPublicOperation, dataOf } from '@ams/testing';
import { Replicas } from '../../testing/replicas.js';
import { testClient, TestProvider } from '../../testing/test-provider.js';

const redirectUri = 'https://alerts.example.com/sign-in/openid';

it('the service starts while the provider does not answer, and uses it when it answers again', async () => {
  const provider = await TestProvider.start(redirectUri);
  const { port } = provider;
  await provider.stop();
  const replicas = await Replicas.start(1, {
    PUBLIC_URL: 'https://alerts.example.com',
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: testClient.id,
    OPENID_CLIENT_SECRET: testClient.secret,
    OPENID_TIMEOUT_SECONDS: '60',
    OPENID_ORGANIZATION: 'example',
  });
  const begin = () => callPublicOperation(replicas.nats, beginOpenIdSignIn, { body: {} });
  try {
    expect(dataOf(await callPublicOperation(replicas.nats, getSignInMethods))).toMatchObject({
      openId: { name: 'single sign-on' },
    });
    expect(await begin()).toMatchObject({ code: 'UNAVAILABLE' });
    const back = await TestProvider.start(redirectUri, port);
    try {
      expect(dataOf<OpenIdRedirect>(await begin()).url).toContain(`${back.issuer}/auth?`);
    } finally {
      await back.stop();
    }
  } finally {
    await replicas.stop();
  }
});
