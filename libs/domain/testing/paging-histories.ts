/**
 * Random histories of an incident: of its alerts, of the requests of people, of edits of policies, and of time. The
 * decisions run as the pipeline runs them (`History`). A simple implementation (`PagingModel`) says what must come out.
 */
import fc from 'fast-check';
import {
  catchAllBegun,
  changedIncident,
  decideAlerts,
  decideCommand,
  decideDue,
  decideEscalate,
  decideEvent,
  decideIncident,
  decideMerge,
  decideWindows,
  exhausted,
  followAlerts,
  levelTold,
  mended,
  newPaging,
  noticeOfRequest,
  nextStep,
  noEscalation,
  plusSeconds,
  severities,
  unacknowledged,
  urgencyOf,
  type ActorRef,
  type AlertsHappened,
  type AlertsOfIncident,
  type AlertState,
  type EscalationStage,
  type IncidentChanged,
  type IncidentContext,
  type IncidentState,
  type Notice,
  type PolicySettings,
  type Severity,
} from '../src/index.js';
import type { AlertEventInput } from '../src/alerts/alert-state.js';
import { clock, incidentWith, kim, lee, sender } from './incidents.js';
import { PagingModel, type ModelPolicy, type ModelRequest } from './paging-model.js';

/** All times of a history are multiples of it, in seconds. */
export const tickSeconds = 10;

const bot: ActorRef = { type: 'api_key', id: 'key_1', name: 'Bot' };
const people = { kim, lee, bot } as const;
type Person = keyof typeof people;

export type Step =
  /** The sender reports that it fires, with this severity. */
  | { do: 'fire'; fingerprint: string; severity: Severity }
  | { do: 'senderAcknowledge' | 'senderResolve' | 'suppress' | 'endSuppression'; fingerprint: string }
  | { do: 'acknowledge' | 'resolve'; fingerprint: string; by: Person }
  | { do: 'ask'; request: ModelRequest; resolveAlerts: boolean; by: Person }
  /** The next level is asked for. */
  | { do: 'escalate'; by: Person }
  /** Another incident is merged into this one. */
  | { do: 'merge'; source: MergeSource; by: Person }
  | { do: 'wait'; ticks: number }
  | { do: 'edit'; stage: 'policy' | 'catchAll'; policy: ModelPolicy | null }
  | { do: 'reach'; stage: EscalationStage; level: number; isReachable: boolean }
  /** The process dies in the transaction of the next step. Another process does the step, with what is stored. */
  | { do: 'kill' };

/** An incident with at most one alert, whose fingerprint the incident of the history does not have open. */
export interface MergeSource {
  fingerprint: string;
  client: Client;
  severity: Severity;
  status: 'firing' | 'acknowledged' | 'resolved';
  /** The severity that a member has set. */
  given: Severity | null;
  pages: boolean;
}

type Client = 'own' | 'other' | 'none';

export interface Beginning {
  client: Client;
  pages: boolean;
  autoResolve: boolean;
  severity: Severity;
  policy: ModelPolicy;
  catchAll: ModelPolicy | null;
  steps: Step[];
}

// --- Arbitraries ------------------------------------------------------------------------------------------------------

const fingerprint = fc.constantFrom('a', 'b', 'c');
const by = fc.constantFrom<Person>('kim', 'lee', 'bot');
const severity = fc.constantFrom(...severities);
const ticks = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(29, 30, 31, 60, 90, 120));
const policy: fc.Arbitrary<ModelPolicy> = fc.record({
  levels: fc.uniqueArray(
    fc.record({ id: fc.constantFrom('p', 'q', 'r', 's', 't'), ticks: fc.integer({ min: 1, max: 40 }) }),
    {
      minLength: 1,
      maxLength: 4,
      selector: ({ id }) => id,
    },
  ),
  repeat: fc.nat(2),
  ackTicks: fc.option(fc.integer({ min: 6, max: 90 })),
});
const request: fc.Arbitrary<ModelRequest> = fc.oneof(
  fc.record({ status: fc.constantFrom('triggered', 'acknowledged', 'resolved') }),
  fc.record({ severity }),
  fc.record({ snoozeTicks: fc.option(ticks) }),
  fc.record(
    {
      status: fc.constantFrom('triggered', 'acknowledged', 'resolved'),
      severity,
      snoozeTicks: fc.option(ticks),
    },
    { requiredKeys: [] },
  ),
);

const client = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Client>('own') },
  { weight: 1, arbitrary: fc.constantFrom<Client>('other', 'none') },
);
const mergeSource: fc.Arbitrary<MergeSource> = fc.record({
  fingerprint,
  client,
  severity,
  status: fc.constantFrom('firing', 'acknowledged', 'resolved'),
  given: fc.option(severity),
  pages: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('fire'), fingerprint, severity }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('senderResolve'), fingerprint }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('senderAcknowledge'), fingerprint }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('suppress', 'endSuppression'), fingerprint }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('acknowledge', 'resolve'), fingerprint, by }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask'), request, resolveAlerts: fc.boolean(), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('escalate'), by }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge'), source: mergeSource, by }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait'), ticks }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('edit'),
      stage: fc.constantFrom('policy', 'catchAll'),
      policy: fc.option(policy),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reach'),
      stage: fc.constantFrom('policy', 'catchAll', 'owners'),
      level: fc.integer({ min: 1, max: 4 }),
      isReachable: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill') }) },
) as fc.Arbitrary<Step>;

/** Histories of 50 steps. */
export const histories: fc.Arbitrary<Beginning> = fc.record({
  client,
  pages: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  autoResolve: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  severity,
  policy,
  catchAll: fc.option(policy),
  steps: fc.array(step, { minLength: 50, maxLength: 50 }),
});

// --- The decisions, as the pipeline runs them -------------------------------------------------------------------------

const settings: IncidentContext['settings'] = {
  highUrgencySeverities: ['critical', 'high'],
  flap: { transitions: 3, windowSeconds: 600, quietSeconds: 300 },
};

interface StoredAlert {
  fingerprint: string;
  client: Client;
  state: AlertState;
}

const beginning = Date.UTC(2026, 0, 1);
const timeAt = (tick: number): string => new Date(beginning + tick * tickSeconds * 1_000).toISOString();
const tickOf = (time: string | null): number | null =>
  time === null ? null : (Date.parse(time) - beginning) / (tickSeconds * 1_000);

export class History {
  incident: IncidentState;
  /** Oldest first; resolved ones stay. */
  alerts: StoredAlert[] = [];
  told: string[] = [];
  notices: string[] = [];
  /** Fingerprints of alerts that a person left open when the incident was resolved. */
  private left = new Set<string>();
  private suppressed = new Set<string>();
  private readonly unreachable = new Set<string>();
  private readonly policies: { policy: PolicySettings | null; catchAll: PolicySettings | null; owners: null };
  private tick = 0;
  private readonly client: Client;

  constructor(first: Beginning) {
    this.client = first.client;
    this.policies = { policy: settingsOf(first.policy), catchAll: settingsOf(first.catchAll), owners: null };
    const at = timeAt(0);
    const state = this.eventOn(undefined, 'a', 'firing', first.severity) as AlertState;
    this.alerts.push({ fingerprint: 'a', client: first.client, state });
    this.incident = incidentWith({
      severity: first.severity,
      urgency: urgencyOf(first.severity, settings),
      policyId: 'pol_1',
      ...(first.pages && {
        escalation: { ...noEscalation, state: 'escalating', episode: 1, round: 1, nextAt: at },
        paging: newPaging,
        dueAt: at,
      }),
      autoResolve: first.autoResolve,
      alertCount: 1,
      openAlertCount: 1,
      triggeredAt: at,
    });
    this.runDue();
  }

  take(step: Step): void {
    switch (step.do) {
      case 'kill':
        return;
      case 'wait':
        this.waitUntil(this.tick + step.ticks);
        return;
      case 'edit':
        this.policies[step.stage] = settingsOf(step.policy);
        return;
      case 'reach':
        if (step.isReachable) this.unreachable.delete(`${step.stage}.${step.level}`);
        else this.unreachable.add(`${step.stage}.${step.level}`);
        return;
      case 'ask':
        this.ask(step.request, step.resolveAlerts, people[step.by]);
        break;
      case 'escalate':
        this.escalate(people[step.by]);
        break;
      case 'merge':
        this.merge(step.source, people[step.by]);
        break;
      case 'fire':
        this.report(step.fingerprint, 'firing', step.severity);
        break;
      case 'senderResolve':
        this.report(step.fingerprint, 'resolved');
        break;
      case 'senderAcknowledge':
        this.report(step.fingerprint, 'acknowledged');
        break;
      case 'suppress':
      case 'endSuppression':
        this.setWindow(step.fingerprint, step.do === 'suppress');
        break;
      case 'acknowledge':
      case 'resolve':
        this.command(step.fingerprint, step.do, people[step.by]);
        break;
    }
    this.runDue();
  }

  /** Does the step in a transaction that is rolled back. What is stored is a row: JSON, without shared objects. */
  takeInVain(step: Step): void {
    const { incident, alerts, told, notices, suppressed, left, tick } = this;
    const stored = JSON.stringify({ incident, alerts, told, notices });
    const policies = { ...this.policies };
    const unreachable = [...this.unreachable];
    this.suppressed = new Set(suppressed);
    this.take(step);
    Object.assign(this, JSON.parse(stored), { suppressed, left, tick });
    Object.assign(this.policies, policies);
    this.unreachable.clear();
    for (const level of unreachable) this.unreachable.add(level);
  }

  /** Time passes, and nothing else happens. The number of times at which something was due. */
  waitUntil(tick: number): number {
    let times = 0;
    for (let due = tickOf(this.incident.dueAt); due !== null && due <= tick; due = tickOf(this.incident.dueAt)) {
      times++;
      this.tick = Math.max(this.tick, due);
      this.runDue();
    }
    this.tick = Math.max(this.tick, tick);
    return times;
  }

  openAlerts(): StoredAlert[] {
    return this.alerts.filter(({ state }) => state.status !== 'resolved');
  }

  /** What the model says, too. */
  summary() {
    const { status, severity: worst, urgency, acknowledgedBy, snoozedUntil, escalation, paging } = this.incident;
    return {
      tick: this.tick,
      status,
      severity: worst,
      urgency,
      acknowledgedBy: acknowledgedBy?.name ?? null,
      snoozedUntil: tickOf(snoozedUntil),
      escalation: paging && {
        state: escalation.state,
        episode: escalation.episode,
        stage: paging.stage,
        round: escalation.round,
        level: escalation.level,
      },
      nextAt: tickOf(escalation.nextAt),
      dueAt: tickOf(this.incident.dueAt),
      alerts: Object.fromEntries(
        this.openAlerts().map(({ fingerprint: key, state }): [string, string] => [
          key,
          `${state.severity} ${state.status}`,
        ]),
      ),
      told: this.told,
      notices: this.notices,
    };
  }

  /** What must be true at any time, without a model. */
  check(): void {
    const { status, paging, escalation, dueAt } = this.incident;
    const firing = this.openAlerts().filter(({ state }) => state.status === 'firing');
    must(
      this.alerts.every((alert) => alert.client === this.client),
      'no incident mixes clients',
    );
    must(this.incident.alertCount === this.alerts.length, 'every alert is counted');
    must(this.incident.openAlertCount === this.openAlerts().length, 'every open alert is counted');
    must(new Set(this.told).size === this.told.length, 'nobody is told twice of one level of one round');
    const numbers = this.told.map((line) => /^\d+ \w+ [\d.]+/.exec(line)?.[0] ?? line);
    must(new Set(numbers).size === numbers.length, 'no two levels of one round have the same number');
    const levels = this.told.map((line) => line.replace(/\.\d+ /, ' '));
    must(new Set(levels).size === levels.length, 'no level is told twice in one round, also when its policy changes');
    must(mended(this.incident, firing.length, this.at) === null, 'no decision loses the next step');
    const { state } = escalation;
    if (status === 'resolved') {
      const others = firing.filter(({ fingerprint: key }) => !this.left.has(key));
      must(others.length === 0, 'nothing fires inside a resolved incident but what a person left open');
      must(state === 'stopped' && dueAt === null, 'nothing is due for a resolved incident');
    }
    if (status !== 'triggered')
      must(state === 'waiting' || state === 'stopped', 'no level of a handled incident is due');
    if (status === 'triggered' && paging && firing.length > 0)
      must(
        state === 'exhausted' || (state === 'escalating' && dueAt !== null),
        'an incident that fires escalates, or everybody was told',
      );
  }

  private get at(): string {
    return timeAt(this.tick);
  }

  private get context(): IncidentContext {
    return { settings, ackTimeoutSeconds: this.policies.policy?.ackTimeoutSeconds ?? null };
  }

  private openAlert(key: string): StoredAlert | undefined {
    return this.openAlerts().find(({ fingerprint: own }) => own === key);
  }

  private readonly windowOf = (key: string) => () =>
    this.suppressed.has(key) ? { windowId: 'sup_1', until: timeAt(1_000_000) } : null;

  /** The next state of the alert of this fingerprint; null when the event changes nothing. */
  private eventOn(
    open: StoredAlert | undefined,
    key: string,
    status: AlertEventInput['status'],
    worst?: Severity,
  ): AlertState | null {
    const event: AlertEventInput = {
      title: key,
      severity: worst ?? null,
      status,
      source: null,
      description: null,
      fingerprint: key,
      fingerprintSource: 'explicit',
      labels: {},
      annotations: {},
      receivedAt: this.at,
      appliedAt: this.at,
      autoResolveAfterSeconds: null,
      ...(status === 'acknowledged' && { opensNone: true }),
    };
    const decision = decideEvent(open?.state ?? null, event, sender, this.windowOf(key));
    return decision.kind === 'opened' || decision.kind === 'changed' ? decision.alert : null;
  }

  private report(key: string, status: AlertEventInput['status'], worst?: Severity): void {
    const open = this.openAlert(key);
    const next = this.eventOn(open, key, status, worst);
    if (!next) return;
    if (open) return this.change([[open, next]], sender);
    this.alerts.push({ fingerprint: key, client: this.client, state: next });
    this.record(decideAlerts(this.incident, { added: 1, open: 1 }));
    const count = next.status === 'firing' ? 1 : 0;
    this.follow({ joined: count, fired: count, resolved: 0 }, sender);
  }

  private setWindow(key: string, isSuppressed: boolean): void {
    if (isSuppressed) this.suppressed.add(key);
    else this.suppressed.delete(key);
    const open = this.openAlert(key);
    if (!open) return;
    const decision = decideWindows(open.state, this.windowOf(key)(), 'resume', this.at, clock);
    if (decision.kind === 'changed') this.change([[open, decision.alert]], clock);
  }

  private command(key: string, action: 'acknowledge' | 'resolve', person: ActorRef): void {
    const open = this.openAlert(key);
    if (open) this.change(this.commanded([open], action, person), person);
  }

  private commanded(
    alerts: StoredAlert[],
    action: 'acknowledge' | 'resolve',
    person: ActorRef,
  ): [StoredAlert, AlertState][] {
    return alerts.flatMap((alert): [StoredAlert, AlertState][] => {
      const command = action === 'resolve' ? { action, reason: 'api' as const } : { action };
      const decision = decideCommand(alert.state, command, this.at, person);
      return decision.kind === 'changed' ? [[alert, decision.alert]] : [];
    });
  }

  private ask({ snoozeTicks, ...fields }: ModelRequest, resolveAlerts: boolean, person: ActorRef): void {
    const snoozedUntil =
      snoozeTicks === undefined || snoozeTicks === null ? snoozeTicks : timeAt(this.tick + snoozeTicks);
    const decision = decideIncident(this.incident, { ...fields, snoozedUntil }, null, this.at, person, this.context);
    if (decision.kind !== 'changed') return;
    const notice = noticeOfRequest(this.incident, decision.incident);
    this.record(decision);
    if (notice) this.tell([notice]);
    if (decision.type === 'incident.reopened') return this.fireAlerts(person);
    const open = this.openAlerts();
    if (decision.type === 'incident.acknowledged')
      this.change(
        this.commanded(
          open.filter(({ state }) => state.status === 'firing'),
          'acknowledge',
          person,
        ),
        person,
      );
    if (decision.type !== 'incident.resolved') return;
    if (resolveAlerts) this.change(this.commanded(open, 'resolve', person), person);
    this.left = new Set(this.openAlerts().map(({ fingerprint: key }) => key));
  }

  private escalate(person: ActorRef): void {
    const decision = decideEscalate(this.incident, this.at, person);
    if (decision.kind !== 'changed') return;
    this.record(decision);
    if (decision.type === 'incident.reopened') this.fireAlerts(person);
  }

  private merge(source: MergeSource, person: ActorRef): void {
    const alerts = this.alertsOfSource(source);
    const open = alerts.filter(({ state }) => state.status !== 'resolved').length;
    const sourceState = this.sourceWith(source, alerts.length, open);
    const target = { id: 'inc_1', clientId: this.client, state: this.incident };
    const decision = decideMerge(
      target,
      [{ id: 'inc_2', clientId: source.client, state: sourceState }],
      this.at,
      person,
      this.context,
    );
    if (decision.kind !== 'merged') return;
    for (const { decision: ended } of decision.sources) checkMerged(ended.incident, target.id);
    this.record(decision.target);
    if (decision.raised) this.record(decision.raised);
    if (decision.notice) this.tell([decision.notice]);
    this.alerts.push(...alerts);
    const firing = alerts.filter(({ state }) => state.status === 'firing').length;
    this.follow({ joined: firing, fired: firing, resolved: 0, keepsSeverity: alerts.length === 0 }, person);
  }

  private alertsOfSource({ fingerprint: key, client: own, severity: worst, status }: MergeSource): StoredAlert[] {
    if (this.openAlert(key) || this.suppressed.has(key)) return [];
    const fired = this.eventOn(undefined, key, 'firing', worst) as AlertState;
    const before = { fingerprint: key, client: own, state: fired };
    if (status === 'firing') return [before];
    const action = status === 'acknowledged' ? 'acknowledge' : 'resolve';
    return this.commanded([before], action, lee).map(([alert, state]) => ({ ...alert, state }));
  }

  private sourceWith({ severity: worst, given, pages }: MergeSource, alerts: number, open: number): IncidentState {
    const at = this.at;
    return incidentWith({
      severity: given ?? worst,
      severityBy: given === null ? 'alerts' : 'person',
      urgency: urgencyOf(given ?? worst, settings),
      policyId: 'pol_1',
      ...(pages && {
        escalation: { ...noEscalation, state: 'escalating', episode: 1, round: 1, nextAt: at },
        paging: newPaging,
        dueAt: at,
      }),
      alertCount: alerts,
      openAlertCount: open,
      triggeredAt: at,
    });
  }

  private fireAlerts(who: ActorRef): void {
    const changes = this.openAlerts().flatMap((alert): [StoredAlert, AlertState][] => {
      const decision = unacknowledged(alert.state, this.windowOf(alert.fingerprint));
      return decision.kind === 'changed' ? [[alert, decision.alert]] : [];
    });
    this.change(changes, who);
  }

  private change(changes: [StoredAlert, AlertState][], who: ActorRef): void {
    const isOccurrence = this.incident.status === 'resolved' && who === sender;
    const happened = { joined: 0, fired: 0, resolved: 0, keepsSeverity: true };
    const isShown = ({ status }: AlertState): boolean => status === 'firing' || status === 'acknowledged';
    for (const [alert, next] of changes) {
      const before = alert.state.status;
      const isSame = alert.state.severity === next.severity && alert.state.occurrenceCount === next.occurrenceCount;
      if (!isSame || !isShown(alert.state) || !isShown(next)) happened.keepsSeverity = false;
      const occurs = isOccurrence && next.occurrenceCount > alert.state.occurrenceCount;
      if (next.status === 'firing' && (before !== 'firing' || occurs)) happened.fired++;
      if (next.status === 'acknowledged' && occurs) happened.fired++;
      if (next.status === 'resolved' && before !== 'resolved') happened.resolved++;
      alert.state = next;
    }
    this.follow(happened, who);
  }

  private follow(happened: Omit<AlertsHappened, 'at' | 'by'>, who: ActorRef): void {
    const what = { ...happened, at: this.at, by: who };
    const followed = followAlerts(this.incident, this.alertsOfIncident(), what, this.context);
    if (followed.decision) this.record(followed.decision);
    else must(followed.incident.version === this.incident.version, 'what nobody sees is no version');
    this.incident = followed.incident;
    this.tell(followed.notices);
  }

  private alertsOfIncident(): AlertsOfIncident {
    const open = this.openAlerts();
    const having = (status: string) => open.filter(({ state }) => state.status === status);
    const shown = open.filter(({ state }) => state.status !== 'suppressed').map(({ state }) => state.severity);
    const latest = having('acknowledged').sort((a, b) => (order(a) < order(b) ? 1 : -1))[0]?.state;
    const since = timeAt(this.tick - settings.flap.windowSeconds / tickSeconds);
    const ended = this.alerts.filter(({ state }) => state.resolvedAt !== null && state.resolvedAt > since);
    const flaps = ['a', 'b', 'c'].map((key) => ended.filter(({ fingerprint: own }) => own === key).length);
    return {
      open: open.length,
      firing: having('firing').length,
      acknowledged: having('acknowledged').length,
      highest: severities.find((one) => shown.includes(one)) ?? null,
      lastAcknowledged:
        latest?.acknowledgedAt && latest.acknowledgedBy
          ? { at: latest.acknowledgedAt, by: latest.acknowledgedBy }
          : null,
      flaps: Math.max(...flaps),
    };
  }

  private record({ incident, changes, type }: IncidentChanged): void {
    must(incident.version === this.incident.version + 1, 'each change is one version');
    must(changes.length > 0, `${type} shows what changed`);
    this.incident = incident;
  }

  private tell(notices: readonly Notice[]): void {
    for (const { kind, alerts } of notices) this.notices.push(alerts > 0 ? `${kind} ${alerts}` : kind);
  }

  private runDue(): void {
    for (let i = 0; ; i++) {
      must(i < 500, 'what is due at one time comes to an end');
      const due = decideDue(this.incident, this.openAlerts().length, this.at, clock, this.context);
      if (!due) return;
      if (due.kind === 'level') this.tellLevel();
      else if (due.kind === 'triggered') {
        this.record(due.decision);
        this.fireAlerts(clock);
      } else if (due.kind === 'refire') {
        this.incident = due.incident;
        this.fireAlerts(clock);
      } else {
        if (due.decision) this.record(due.decision);
        this.incident = due.incident;
        this.tell([due.notice]);
        const keepsSeverity = due.notice.kind !== 'flappingOver';
        this.follow({ joined: 0, fired: 0, resolved: 0, keepsSeverity }, clock);
      }
    }
  }

  private tellLevel(): void {
    const { escalation, paging } = this.incident;
    if (!paging) throw new Error('an incident that pages nobody has a level due');
    const { stage } = paging;
    const own = this.policies[stage];
    const next = nextStep(escalation, paging, own);
    const level = next.kind === 'level' ? next.level : 1;
    const id = next.kind === 'level' ? next.levelIds.at(-1) : undefined;
    const name = next.kind === 'level' ? `${stage} ${next.round}.${next.level} ${id}` : 'owners';
    const isReachable = !this.unreachable.has(`${next.kind === 'owners' ? 'owners' : stage}.${level}`);
    const people = isReachable ? [{ userId: name, at: this.at, notificationId: name }] : [];
    if (next.kind !== 'catchAll') this.told.push(`${escalation.episode} ${name}${isReachable ? '' : ', nobody'}`);
    if (next.kind === 'level') {
      const seconds = own?.levels.find((one) => one.id === id)?.escalateAfterSeconds ?? 0;
      const nextAt = isReachable ? plusSeconds(this.at, seconds) : this.at;
      this.record(changedIncident(this.incident, 'incident.paged', levelTold(this.incident, next, people, nextAt)));
    } else if (next.kind === 'owners')
      this.record(changedIncident(this.incident, 'incident.paged', exhausted(this.incident, people)));
    else this.incident = { ...this.incident, ...catchAllBegun(this.incident) };
  }
}

function checkMerged(source: IncidentState, into: string): void {
  must(source.status === 'resolved' && source.mergedInto === into, 'a merged incident is resolved and names the other');
  must(source.alertCount === 0 && source.openAlertCount === 0, 'nothing fires inside a merged incident');
  must(source.escalation.state === 'stopped' && source.dueAt === null, 'a merged incident tells nobody');
  const again = decideIncident(source, { status: 'triggered' }, null, timeAt(1), kim, {
    settings,
    ackTimeoutSeconds: null,
  });
  must(again.kind === 'refused', 'a merged incident is never opened again');
}

/** `expect` is slow, and a history has thousands of checks. */
function must(isTrue: boolean, rule: string): void {
  if (!isTrue) throw new Error(`does not hold: ${rule}`);
}

const order = ({ fingerprint: key, state }: StoredAlert): string => `${state.acknowledgedAt} ${key}`;

const settingsOf = (given: ModelPolicy | null): PolicySettings | null =>
  given && {
    levels: given.levels.map(({ id, ticks: count }) => ({
      id,
      targets: [],
      escalateAfterSeconds: count * tickSeconds,
    })),
    repeat: given.repeat,
    ackTimeoutSeconds: given.ackTicks === null ? null : given.ackTicks * tickSeconds,
  };

/** Runs the history beside the model and compares them after each step. */
export function checkHistory(first: Beginning): void {
  const history = new History(first);
  const model = new PagingModel(first);
  const compare = () => {
    history.check();
    const [is, shouldBe] = [history.summary(), model.summary()];
    if (JSON.stringify(is) !== JSON.stringify(shouldBe)) expect(is).toEqual(shouldBe);
  };
  compare();
  for (const [index, one] of first.steps.entries()) {
    if (first.steps[index - 1]?.do === 'kill') history.takeInVain(one);
    history.take(one);
    model.take(one);
    compare();
  }
  must(history.waitUntil(1_000_000) < 1_000, 'without events everything comes to an end');
  history.check();
  must(history.incident.dueAt === null, 'in the end nothing is due');
}
