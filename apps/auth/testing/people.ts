/** People who sign in: mails about accounts arrive here, and calls are made as the API gateway makes them. */
import {
  accountMailRequest,
  credentialHash,
  getSession,
  inviteMember,
  signIn,
  acceptInvitation,
  type AccountMail,
  type AdmitReply,
  type Answer,
  type Call,
  type MemberRecord,
  type Operation,
  type Principal,
  type PublicCall,
  type Session,
  type SignedIn,
} from '@ams/contracts';
import { type Environment, type Role, type Scope } from '@ams/scopes';
import { callPublicOperation, dataOf, eventually } from '@ams/testing';
import { type Replicas } from './replicas.js';

export interface SignedInPerson {
  email: string;
  password: string;
  token: string;
  session: Session;
}

export const goodPassword = 'lantern marble fog';

export class People {
  readonly mails: AccountMail[] = [];
  private count = 0;

  constructor(private readonly replicas: Replicas) {
    replicas.nats.subscribe(accountMailRequest.subject, {
      callback: (_error, message) => {
        this.mails.push(message.json<AccountMail>());
        message.respond(JSON.stringify({ kind: 'sent', detail: null }));
      },
    });
  }

  newEmail(): string {
    return `person${++this.count}.${crypto.randomUUID().slice(0, 8)}@example.com`;
  }

  /** The token in the newest mail of the purpose to the address, when there are `count` of them. */
  async tokenTo(email: string, purpose: AccountMail['purpose'], count = 1): Promise<string> {
    const found = () => this.mails.filter(({ to, ...mail }) => to.address === email && mail.purpose === purpose);
    await eventually(() => expect(found()).toHaveLength(count));
    return String(found().at(-1)?.link).split('#')[1] as string;
  }

  public(operation: Pick<Operation, 'id'>, values: Partial<Omit<PublicCall, 'principal'>> = {}): Promise<Answer> {
    return callPublicOperation(this.replicas.nats, operation, values);
  }

  signIn(email: string, password: string, values: Partial<Omit<PublicCall, 'principal'>> = {}): Promise<Answer> {
    return this.public(signIn, { ...values, body: { email, password } });
  }

  /** Invites a person to the organization of the key. */
  async invite(key: Principal, role: Role = 'responder', email = this.newEmail()): Promise<MemberRecord> {
    return dataOf<MemberRecord>(await this.replicas.call(inviteMember, key, { body: { name: 'Mira', email, role } }));
  }

  /** A person who has accepted an invitation, and is signed in. */
  async member(key: Principal, role: Role = 'responder', password = goodPassword): Promise<SignedInPerson> {
    const { email } = await this.invite(key, role);
    const token = await this.tokenTo(email, 'invitation');
    const answer = await this.public(acceptInvitation, { body: { token, password } });
    return { email, password, ...signedIn(answer) };
  }

  admit(
    token: string,
    { environment = 'live', scope = null }: { environment?: Environment; scope?: Scope | null } = {},
  ): Promise<AdmitReply> {
    return this.replicas.admitSession({ sessionHash: credentialHash(token), environment }, { scope });
  }

  async principal(token: string): Promise<Principal> {
    const reply = await this.admit(token);
    if (reply.kind !== 'admitted') throw new Error(`the session is not admitted: ${reply.kind}`);
    return reply.principal;
  }

  /** A call with the session, as after its admission. */
  async call(operation: Pick<Operation, 'id'>, token: string, values: Partial<Call> = {}): Promise<Answer> {
    return this.replicas.call(operation, await this.principal(token), values);
  }

  async whoAmI(token: string): Promise<Session> {
    return dataOf<Session>(await this.call(getSession, token));
  }
}

export const tokenOf = (answer: Answer): string => {
  const session = answer.ok ? answer.session : undefined;
  if (session === undefined || session === 'ended') throw new Error(`no session begins: ${JSON.stringify(answer)}`);
  return session.token;
};

export function signedIn(answer: Answer): { token: string; session: Session } {
  const { session } = dataOf<SignedIn>(answer);
  if (!session) throw new Error('another factor is asked for');
  return { token: tokenOf(answer), session };
}
