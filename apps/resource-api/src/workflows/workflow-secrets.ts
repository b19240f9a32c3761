/**
 * Secrets in the steps of workflows and in the levels of escalation policies: signing secrets, values of headers,
 * addresses of chats, because everybody who knows such an address can post there, and what may be a token in the
 * address of a webhook. Records and the audit log have a mark in the place of each secret. A mark
 * that is sent back keeps the stored secret if the same step or level still sends it to the same address. Otherwise a
 * caller who may change a workflow could make this service send a secret to another address.
 */
import type { FieldFault } from '@ams/contracts';
import {
  replacedInStep,
  shownWebhookBase,
  type NotifyTarget,
  type PolicyTarget,
  type ReplaceSecret,
  type StepParams,
  type WorkflowStep,
} from '@ams/domain';
import type { RecordSecrets } from '../secrets/secrets.js';

const mark = '********';
const secretMissing = (list: string): string =>
  `${mark} keeps the stored secret of this ${list.slice(0, -1)} for the same address, but there is none: send the ` +
  'value itself';
const markedAddress = /^https?:\/\/[^/]+\/\*{8}(?:#\d+)?$/;
const markedWebhook = /^https?:\/\/[^/]+\/(?:[^/]+\/)?\*{8}(?:#\d+)?$/;
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

/** The address of a webhook as it is shown: whole when it has nothing secret. */
function shownWebhook(url: string): string {
  const base = shownWebhookBase(url);
  return base === null ? url : `${base}/${mark}`;
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

/**
 * Steps that were sent, with the stored secret in place of each mark, all of them sealed. A mark without a stored secret
 * is a fault.
 */
export const sealedSteps = (
  sent: readonly WorkflowStep[],
  stored: readonly WorkflowStep[],
  secrets: RecordSecrets,
  record: string,
): Promise<{ parts: WorkflowStep[]; faults: FieldFault[] }> =>
  sealedParts({ list: 'steps', partWithSecrets: withSecrets, replacedIn: replacedInStep }, sent, stored, (places) =>
    secrets.sealing(record, places),
  );

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

function unmasked<P extends Part>(
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

/**
 * The addresses that were sent are sealed first: so a secret with a mark is found by its address, also when the address
 * itself was sent again.
 */
export async function sealedParts<P extends Part>(
  {
    list,
    partWithSecrets,
    replacedIn,
  }: { list: string; partWithSecrets: WithSecrets<P>; replacedIn: (part: P, replace: ReplaceSecret) => P },
  sent: readonly P[],
  stored: readonly P[],
  sealing: (places: (replace: ReplaceSecret) => unknown) => Promise<ReplaceSecret>,
): Promise<{ parts: P[]; faults: FieldFault[] }> {
  const seal = await sealing((replace) => [...sent, ...stored].map((part) => replacedIn(part, replace)));
  const sealAddress: ReplaceSecret = (place) =>
    place.kind === 'address' && !markedWebhook.test(place.value) ? seal(place) : place.value;
  const { parts, faults } = unmasked(
    list,
    sent.map((part) => replacedIn(part, sealAddress)),
    stored.map((part) => replacedIn(part, seal)),
    partWithSecrets,
  );
  return faults.length > 0 ? { parts, faults } : { parts: parts.map((part) => replacedIn(part, seal)), faults };
}
