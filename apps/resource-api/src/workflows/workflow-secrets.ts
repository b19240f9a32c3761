/**
 * Secrets in the steps of workflows and in the levels of escalation policies: signing secrets, values of headers,
 * addresses of chats, because everybody who knows such an address can post there, and what may be a token in the
 * address of a webhook. Records and the audit log have a mark in the place of each secret. A mark
 * that is sent back keeps the stored secret if the same step or level still sends it to the same address. Otherwise a
 * caller who may change a workflow could make this service send a secret to another address.
 */
import type { FieldFault } from '@ams/contracts';
import type { NotifyTarget, PolicyTarget, StepParams, WorkflowStep } from '@ams/domain';

const mark = '********';
const secretMissing = (list: string): string =>
  `${mark} keeps the stored secret of this ${list.slice(0, -1)} for the same address, but there is none: send the ` +
  'value itself';
const markedAddress = /^https?:\/\/[^/]+\/\*{8}(?:#\d+)?$/;
const markedWebhook = /^https?:\/\/[^/]+\/(?:[^/]+\/)?\*{8}(?:#\d+)?$/;
/** The first part of a path, when it is a word and no token: `services`, `v2`. */
const plainPart = /^(?:[a-z]+(?:[-_][a-z]+){0,3}|v\d{1,2})$/i;
const maxPlainPart = 32;

/** A place in a step that holds a secret, or is sent with the mark of one. */
export interface Secret {
  /** The path from the step to the secret. */
  path: string;
  /** The secret, or the mark that was sent in its place. */
  value: string;
  mark: string;
  /** What the secret is for and where it is sent. A mark stands for the stored secret with the same use. */
  use: string;
}

export type Replace = (secret: Secret) => string;

type Webhook = StepParams['webhook'];
type Channel = Extract<NotifyTarget, { type: 'channel' }>;

/** Numbers the repetitions of each name, so that two with the same name differ. */
function counting(): (name: string) => number {
  const seen = new Map<string, number>();
  return (name) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n;
  };
}

const secretOf = (path: string, value: string | null, use: string, replace: Replace): string | null =>
  value === null ? null : replace({ path: `${path}.secret`, value, mark, use: `secret ${use}` });

const headersOf = ({ headers, url }: Webhook, replace: Replace): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      replace({ path: `params.headers[${JSON.stringify(name)}]`, value, mark, use: `header ${name} ${url}` }),
    ]),
  );

/** The stored secrets of a webhook belong to its whole address, which a mark stands for. */
function webhook(params: Webhook, replace: Replace): Webhook {
  const url = webhookAddress(params.url, 'params', () => 1, replace);
  return {
    ...params,
    url,
    secret: secretOf('params', params.secret, url, replace),
    headers: headersOf({ ...params, url }, replace),
  };
}

/**
 * The address of a webhook as it is shown: whole when it has at most one part, which is a word. Otherwise its host and
 * the first part of its path, if that is a word.
 */
function shownWebhook(url: string): string {
  const { origin, username, password, pathname, search, hash } = new URL(url);
  const [first = '', ...more] = pathname.split('/').slice(1);
  const isPlain = plainPart.test(first) && first.length <= maxPlainPart;
  if ([username, password, search, hash, ...more].every((part) => part === '') && (first === '' || isPlain)) return url;
  return isPlain ? `${origin}/${first}/${mark}` : `${origin}/${mark}`;
}

function webhookAddress(url: string, path: string, nth: (name: string) => number, replace: Replace): string {
  const isMarked = markedWebhook.test(url);
  const shown = isMarked ? url : shownWebhook(url);
  if (!isMarked && shown === url) return url;
  const n = isMarked ? 1 : nth(`webhook ${shown}`);
  const ofMark = n === 1 ? shown : `${shown}#${n}`;
  return replace({ path: `${path}.url`, value: url, mark: ofMark, use: `webhook ${ofMark}` });
}

/** The host is shown. The mark of the second address of a step at the same host ends with `#2`. */
function markOfAddress(url: string, nth: (name: string) => number): string {
  const shown = `${new URL(url).origin}/${mark}`;
  const n = nth(shown);
  return n === 1 ? shown : `${shown}#${n}`;
}

function channel(target: Channel, path: string, nth: (name: string) => number, replace: Replace): Channel {
  const { kind, url, secret } = target;
  const isMarked = markedAddress.test(url);
  if (kind === 'webhook') {
    const address = webhookAddress(url, path, nth, replace);
    return {
      ...target,
      url: address,
      secret: secretOf(path, secret, `${nth(`secret ${address}`)} ${address}`, replace),
    };
  }
  const shown = isMarked ? url : markOfAddress(url, nth);
  return { ...target, url: replace({ path: `${path}.url`, value: url, mark: shown, use: `${kind} ${shown}` }) };
}

/** The step, each of its secrets replaced. */
function withSecrets(step: WorkflowStep, replace: Replace): WorkflowStep {
  if (step.type === 'webhook') return { ...step, params: webhook(step.params, replace) };
  if (step.type !== 'notify') return step;
  return { ...step, params: { ...step.params, targets: targetsWithSecrets(step.params.targets, 'params.', replace) } };
}

/** The targets, each of their secrets replaced. `parent`: the path from the step to the list, with a point. */
export function targetsWithSecrets<Target extends PolicyTarget>(
  targets: readonly Target[],
  parent: string,
  replace: Replace,
): (Target | Channel)[] {
  const nth = counting();
  return targets.map((target, index) =>
    target.type === 'channel' ? channel(target, `${parent}targets[${index}]`, nth, replace) : target,
  );
}

/**
 * The steps as they are shown: `********` for a secret and for the value of a header,
 * `https://hooks.slack.com/********` for the address of a chat, `https://example.com/hooks/********` for that of a
 * webhook.
 */
export const maskedSteps = (steps: readonly WorkflowStep[]): WorkflowStep[] =>
  steps.map((step) => withSecrets(step, (secret) => secret.mark));

/** Every secret of the steps with its use, to compare values. Marks are equal for different secrets. */
export const secretsIn = (steps: readonly WorkflowStep[]): UsedSecret[] => usedSecrets(steps, withSecrets);

/** Steps that were sent, with the stored secret in place of each mark. A mark without a stored secret is a fault. */
export function unmaskedSteps(
  sent: readonly WorkflowStep[],
  stored: readonly WorkflowStep[],
): { steps: WorkflowStep[]; faults: FieldFault[] } {
  const { parts: steps, faults } = unmasked('steps', sent, stored, withSecrets);
  return { steps, faults };
}

// --- For the steps of workflows and the levels of policies ----------------------------------------------------------

/** A step or a level. */
interface Part {
  id: string;
}

export interface UsedSecret {
  /** The id of the step or level. */
  part: string;
  use: string;
  value: string;
}

type WithSecrets<P extends Part> = (part: P, replace: Replace) => P;

export function usedSecrets<P extends Part>(parts: readonly P[], partWithSecrets: WithSecrets<P>): UsedSecret[] {
  const secrets: UsedSecret[] = [];
  for (const part of parts) {
    partWithSecrets(part, ({ use, value }) => {
      secrets.push({ part: part.id, use, value });
      return value;
    });
  }
  return secrets;
}

/** `list`: the name of the field with the parts. */
export function unmasked<P extends Part>(
  list: string,
  sent: readonly P[],
  stored: readonly P[],
  partWithSecrets: WithSecrets<P>,
): { parts: P[]; faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const kept = new Map(usedSecrets(stored, partWithSecrets).map(({ part, use, value }) => [`${part} ${use}`, value]));
  const parts = sent.map((part, index) =>
    partWithSecrets(part, ({ path, value, mark: shown, use }) => {
      if (value !== shown) return value;
      const secret = kept.get(`${part.id} ${use}`);
      if (secret === undefined)
        faults.push({ path: `${list}[${index}].${path}`, rule: 'exists', message: secretMissing(list) });
      return secret ?? value;
    }),
  );
  return { parts, faults };
}
