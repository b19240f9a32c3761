/**
 * An OpenID provider, really run (`oidc-provider`). Whoever comes is signed in as `person`, without a page. `tamper`
 * changes the claims of the next id tokens, which are signed again with the key of the provider.
 */
import { sign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Provider, type JWK } from 'oidc-provider';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

type Claims = Record<string, unknown>;

const keyId = 'test';
export const testClient = { id: 'alerts', secret: 'a secret of the client' };

export class TestProvider {
  person: Person = { sub: 'nobody' };
  tamper: ((claims: Claims) => Claims) | null = null;
  /** The key with which changed tokens are signed. */
  signer: KeyObject;

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    readonly ownSigner: KeyObject,
  ) {
    this.signer = ownSigner;
  }

  /** `redirectUri`: of the service that is tested. */
  static async start(redirectUri: string, port = 0): Promise<TestProvider> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const server = createServer({ keepAliveTimeout: 600_000 });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const started = new TestProvider(issuer, server, privateKey);
    const provider = started.provider(redirectUri);
    const callback = provider.callback();
    server.on('request', (request, response) => {
      const isInteraction = request.url?.startsWith('/interaction/') === true;
      void (isInteraction
        ? provider.interactionFinished(request, response, { login: { accountId: started.person.sub } })
        : callback(request, response));
    });
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What the browser does: follows the provider to the end. Returns the query with which it comes back. */
  async visit(url: string): Promise<Record<string, string>> {
    const cookies = new Map<string, string>();
    let next = new URL(url);
    while (next.origin === this.issuer) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      next = new URL(location, next);
    }
    return Object.fromEntries(next.searchParams);
  }

  private provider(redirectUri: string): Provider {
    const jwk = { ...this.ownSigner.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' } as JWK;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: testClient.id,
          client_secret: testClient.secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key of the cookies'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      pkce: { required: () => true },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...this.person, sub }) }),
      // Everything is permitted, so no page asks for it.
      loadExistingGrant: async (context) => {
        const { oidc } = context;
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId as string,
          accountId: oidc.session?.accountId as string,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path === '/token' && this.tamper && body?.id_token)
        body.id_token = this.signed(this.tamper(claimsOf(body.id_token)));
    });
    return provider;
  }

  private signed(claims: Claims): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${part(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), this.signer).toString('base64url')}`;
  }
}

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
