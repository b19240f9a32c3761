/**
 * What paging is to do, as simply as possible: one incident, three alerts, a clock that ticks, and the rules in the
 * order in which a reader would check them. It shares no code with the decisions that it checks.
 */
import type { IncidentStatus, Severity } from '../src/index.js';
import type { Beginning, MergeSource, Step } from './paging-histories.js';

export interface ModelPolicy {
  /** The id of each level, and the ticks to the next one. */
  levels: { id: string; ticks: number }[];
  repeat: number;
  ackTicks: number | null;
}

export interface ModelRequest {
  status?: IncidentStatus;
  severity?: Severity;
  snoozeTicks?: number | null;
}

interface ModelAlert {
  severity: Severity;
  status: 'firing' | 'acknowledged' | 'suppressed';
  /** Who has acknowledged, and when. */
  by: string | null;
  at: number;
}

const worstFirst: Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
const isUrgent = (severity: Severity): boolean => severity === 'critical' || severity === 'high';
const isWorse = (a: Severity, than: Severity): boolean => worstFirst.indexOf(a) < worstFirst.indexOf(than);

const flapTransitions = 3;
const flapWindow = 60;
const flapQuiet = 30;
const gatherTicks = 30;
const sender = 'Probe';
const names = { kim: 'Kim', lee: 'Lee', bot: 'Bot' };

export class PagingModel {
  private tick = 0;
  private readonly alerts = new Map<string, ModelAlert>();
  private hadAlerts = 1;
  private resolves: { key: string; at: number }[] = [];
  private readonly suppressed = new Set<string>();
  private readonly unreachable = new Set<string>();
  private readonly policies: Record<'policy' | 'catchAll', ModelPolicy | null>;
  private readonly client: Beginning['client'];
  private pages: boolean;
  private readonly autoResolve: boolean;

  private status: IncidentStatus = 'triggered';
  private severity: Severity;
  private urgency: 'high' | 'low';
  private isByPerson = false;
  private acknowledgedBy: string | null = null;
  private snoozedUntil: number | null = null;
  /** When the acknowledgement or the snooze ends. */
  private endsAt: number | null = null;

  private episode = 0;
  private stage: 'policy' | 'catchAll' | 'owners' = 'policy';
  private round = 0;
  private level = 0;
  /** The levels of the round that were told. */
  private passed: string[] = [];
  /** The rounds of the stage in which somebody was reached. */
  private reached = new Set<number>();
  /** Ticks to the next level while the escalation runs; null: everybody was told. */
  private left: number | null = null;
  private isHeld = false;
  /** When a level was told last that somebody may have asked for. */
  private toldAt: number | null = null;

  private quietAt: number | null = null;
  private gathered: { toldAt: number; untold: number } | null = null;
  private readonly told: string[] = [];
  private readonly notices: string[] = [];

  constructor({ client, pages, autoResolve, severity, policy, catchAll }: Beginning) {
    this.client = client;
    this.pages = pages;
    this.autoResolve = autoResolve;
    this.policies = { policy, catchAll };
    this.severity = severity;
    this.urgency = isUrgent(severity) ? 'high' : 'low';
    this.alerts.set('a', { severity, status: 'firing', by: null, at: 0 });
    this.page();
    this.runDue();
  }

  take(step: Step): void {
    if (step.do === 'wait') return this.wait(step.ticks);
    if (step.do === 'kill') return;
    if (step.do === 'edit') this.policies[step.stage] = step.policy;
    else if (step.do === 'reach') {
      const level = `${step.stage}.${step.level}`;
      if (step.isReachable) this.unreachable.delete(level);
      else this.unreachable.add(level);
    } else {
      if (step.do === 'ask') this.ask(step.request, step.resolveAlerts, names[step.by]);
      else if (step.do === 'escalate') this.escalate();
      else if (step.do === 'merge') this.merge(step.source);
      else if (step.do === 'fire') this.fire(step.fingerprint, step.severity);
      else if (step.do === 'senderResolve' || step.do === 'resolve') this.resolve(step.fingerprint);
      else if (step.do === 'senderAcknowledge') this.acknowledge(step.fingerprint, sender);
      else if (step.do === 'acknowledge') this.acknowledge(step.fingerprint, names[step.by]);
      else if (step.do === 'suppress') this.suppress(step.fingerprint);
      else this.endSuppression(step.fingerprint);
      this.runDue();
    }
  }

  summary() {
    const runs = this.pages && this.status === 'triggered' && !this.isHeld && this.left !== null;
    const nextLevel = runs ? this.tick + (this.left ?? 0) : null;
    const nextAt = this.status === 'triggered' ? nextLevel : this.endsAt;
    const gatheredAt = this.gathered && this.gathered.untold > 0 ? this.gathered.toldAt + gatherTicks : null;
    const timers = [nextAt, gatheredAt, this.quietAt].filter((time) => time !== null);
    return {
      tick: this.tick,
      status: this.status,
      severity: this.severity,
      urgency: this.urgency,
      acknowledgedBy: this.acknowledgedBy,
      snoozedUntil: this.snoozedUntil,
      escalation: this.pages
        ? {
            state: this.escalationState(),
            episode: this.episode,
            stage: this.stage,
            round: this.round,
            level: this.level,
          }
        : null,
      nextAt,
      dueAt: timers.length > 0 ? Math.min(...timers) : null,
      alerts: Object.fromEntries([...this.alerts].map(([key, { severity, status }]) => [key, `${severity} ${status}`])),
      told: this.told,
      notices: this.notices,
    };
  }

  private escalationState(): string {
    if (this.status === 'resolved') return 'stopped';
    if (this.status === 'acknowledged') return 'waiting';
    if (this.left === null) return 'exhausted';
    return this.isHeld ? 'paused' : 'escalating';
  }

  // --- What the sender, windows and people do -------------------------------------------------------------------------

  private fire(key: string, severity: Severity): void {
    const open = this.alerts.get(key);
    if (!open) {
      const status = this.suppressed.has(key) ? 'suppressed' : 'firing';
      this.alerts.set(key, { severity, status, by: null, at: this.tick });
      this.hadAlerts++;
      const count = status === 'firing' ? 1 : 0;
      return this.settle({ joined: count, fired: count });
    }
    open.severity = severity;
    const isAgain = open.status === 'acknowledged' && open.by === sender;
    if (isAgain) open.status = this.suppressed.has(key) ? 'suppressed' : 'firing';
    const wasLeft = this.status === 'resolved' && open.status !== 'suppressed';
    this.settle({ fired: (isAgain && open.status === 'firing') || wasLeft ? 1 : 0 });
  }

  private resolve(key: string): void {
    if (!this.alerts.delete(key)) return;
    this.resolves.push({ key, at: this.tick });
    this.settle({ resolved: 1 });
  }

  private acknowledge(key: string, by: string): void {
    const open = this.alerts.get(key);
    if (!open || open.status === 'acknowledged') return;
    const isAcknowledgement = open.status === 'firing';
    Object.assign(open, { status: 'acknowledged', by, at: this.tick });
    this.settle({ isAcknowledgement });
  }

  private suppress(key: string): void {
    this.suppressed.add(key);
    const open = this.alerts.get(key);
    if (open?.status !== 'firing') return;
    open.status = 'suppressed';
    this.settle({});
  }

  private endSuppression(key: string): void {
    this.suppressed.delete(key);
    const open = this.alerts.get(key);
    if (open?.status !== 'suppressed') return;
    open.status = 'firing';
    this.settle({ fired: 1 });
  }

  private ask({ status, severity, snoozeTicks }: ModelRequest, resolveAlerts: boolean, by: string): void {
    let wanted = status;
    if (!wanted && typeof snoozeTicks === 'number') wanted = 'acknowledged';
    if (!wanted && snoozeTicks === null && this.snoozedUntil !== null) wanted = 'triggered';
    if (this.status === 'resolved' && wanted === 'acknowledged') return;

    const becomesUrgent = severity !== undefined && isUrgent(severity) && this.urgency === 'low';
    const isRise = severity !== undefined && isWorse(severity, this.severity);
    if (severity) {
      this.severity = severity;
      this.urgency = isUrgent(severity) ? 'high' : 'low';
      if (by !== names.bot) this.isByPerson = true;
    }
    const isReopened =
      wanted === 'triggered'
        ? this.status !== 'triggered' || becomesUrgent
        : wanted === undefined && becomesUrgent && this.status !== 'resolved';
    if (isReopened) {
      this.page();
      return this.fireAll();
    }
    if (wanted === 'resolved' && this.status !== 'resolved') {
      this.end();
      if (!resolveAlerts) return;
      const resolved = [...this.alerts.keys()];
      for (const key of resolved) this.resolves.push({ key, at: this.tick });
      this.alerts.clear();
      return this.settle({ resolved: resolved.length });
    }
    const isNew = this.status === 'triggered' || this.acknowledgedBy === sender;
    const isTold = this.pages && this.status !== 'resolved' && !(wanted === 'acknowledged' && isNew);
    // Rule 3. Nobody is told while no alert fires.
    if (isRise && isTold && !(this.status === 'triggered' && this.isHeld))
      if (this.status === 'acknowledged' || this.level > 0) this.notices.push('rise');
    if (wanted !== 'acknowledged') return;
    if (isNew) this.handle(by);
    if (typeof snoozeTicks === 'number') this.snoozedUntil = this.endsAt = this.tick + snoozeTicks;
    else if (snoozeTicks === null && this.snoozedUntil !== null) {
      this.snoozedUntil = null;
      this.endsAt = this.timeOut();
    }
    if (!isNew) return;
    for (const alert of this.alerts.values())
      if (alert.status === 'firing') Object.assign(alert, { status: 'acknowledged', by, at: this.tick });
    this.settle({ isAcknowledgement: true });
  }

  /** The next level is due now. Within one tick nobody asks for two levels. */
  private escalate(): void {
    if (!this.pages || this.status === 'resolved' || this.stage === 'owners') return;
    if (this.status === 'triggered') {
      if (this.toldAt !== this.tick && !this.isHeld) this.left = 0;
      return;
    }
    this.status = 'triggered';
    this.acknowledgedBy = this.snoozedUntil = this.endsAt = this.gathered = null;
    this.left = 0;
    this.isHeld = false;
    this.fireAll();
  }

  private merge({ client, pages, given, fingerprint: key, severity, status }: MergeSource): void {
    if (this.status === 'resolved' || client !== this.client) return;
    if (pages && !this.pages) {
      this.pages = true;
      if (this.status === 'triggered') this.page();
      else this.endsAt = this.snoozedUntil ?? this.timeOut();
    }
    const isAgain = given !== null && isWorse(given, this.severity) && this.raise(given);
    const isAcknowledgement = this.alerts.has(key) || this.suppressed.has(key);
    if (!isAcknowledgement) {
      this.hadAlerts++;
      if (status === 'resolved') this.resolves.push({ key, at: this.tick });
      else this.alerts.set(key, { severity, status, by: status === 'firing' ? null : names.lee, at: this.tick });
    }
    const joined = !isAcknowledgement && status === 'firing' ? 1 : 0;
    this.settle({ joined, fired: joined, isAcknowledgement, isAgain });
    if (isAgain) this.fireAll();
  }

  /** A member had set the severity of what is merged into it. True when it is triggered again. */
  private raise(severity: Severity): boolean {
    const becomesUrgent = this.urgency === 'low' && isUrgent(severity);
    this.severity = severity;
    this.urgency = isUrgent(severity) ? 'high' : 'low';
    this.isByPerson = true;
    if (!this.pages) return false;
    if (becomesUrgent) {
      this.page();
      return true;
    }
    if ((this.status === 'acknowledged' || this.level > 0) && !(this.status === 'triggered' && this.isHeld))
      this.notices.push('rise');
    return false;
  }

  // --- The incident ---------------------------------------------------------------------------------------------------

  /** It is triggered, and the first level is due. */
  private page(): void {
    this.status = 'triggered';
    this.acknowledgedBy = this.snoozedUntil = this.endsAt = this.gathered = null;
    if (!this.pages) return;
    this.episode++;
    this.stage = 'policy';
    this.round = 1;
    this.level = this.left = 0;
    this.passed = [];
    this.reached = new Set();
    this.isHeld = false;
    this.toldAt = null;
  }

  private handle(by: string): void {
    this.status = 'acknowledged';
    this.acknowledgedBy = by;
    this.snoozedUntil = this.gathered = null;
    this.endsAt = this.timeOut();
  }

  private timeOut(): number | null {
    const ticks = this.policies.policy?.ackTicks ?? null;
    return this.pages && ticks !== null ? this.tick + ticks : null;
  }

  private end(): void {
    this.status = 'resolved';
    this.snoozedUntil = this.endsAt = this.gathered = this.quietAt = null;
  }

  private fireAll(): void {
    let fired = 0;
    let isAcknowledgement = true;
    for (const [key, alert] of this.alerts)
      if (alert.status === 'acknowledged') {
        alert.status = this.suppressed.has(key) ? 'suppressed' : 'firing';
        if (alert.status === 'firing') fired++;
        else isAcknowledgement = false;
      }
    this.settle({ fired, isAcknowledgement });
  }

  /** The rules, after the alerts have changed. Acknowledgements, and their ends, are no change of a severity. */
  private settle({ joined = 0, fired = 0, resolved = 0, isAcknowledgement = false, isAgain = false }): void {
    const open = [...this.alerts.values()];
    const firing = open.filter(({ status }) => status === 'firing').length;
    const acknowledged = open.filter(({ status }) => status === 'acknowledged');
    const heard = firing + acknowledged.length;

    // Rule 11: an alert that flaps keeps its incident open until it was quiet.
    const inWindow = this.resolves.filter(({ at }) => at > this.tick - flapWindow);
    const flaps = ['a', 'b', 'c'].some((one) => inWindow.filter(({ key }) => key === one).length >= flapTransitions);
    const isTouched = this.quietAt === null ? flaps && resolved > 0 : resolved + joined > 0;
    if (this.pages && this.status !== 'resolved' && isTouched) {
      if (this.quietAt === null) this.notices.push('flapping');
      this.quietAt = this.tick + flapQuiet;
    }

    // Rule 3: the severity is the highest of the open alerts; one that flaps counts as open.
    const before = this.severity;
    const shown = open.filter(({ status }) => status !== 'suppressed').map(({ severity }) => severity);
    const highest = worstFirst.find((severity) => shown.includes(severity));
    if (highest && !isAcknowledgement && !this.isByPerson && !(this.quietAt !== null && isWorse(before, highest)))
      this.severity = highest;
    const isRise = isWorse(this.severity, before);
    const becomesUrgent = this.urgency === 'low' && isUrgent(this.severity);
    this.urgency = isUrgent(this.severity) ? 'high' : 'low';

    if (this.status === 'resolved') {
      // Rule 6.
      if (fired > 0 && (this.pages ? heard : firing) > 0) {
        this.page();
        if (this.pages) return this.fireAll();
      }
    } else if (this.autoResolve && open.length === 0 && resolved > 0) {
      if (this.quietAt === null) this.end();
    } else if (becomesUrgent && this.pages) {
      this.page();
      return this.fireAll();
    } else if (this.acknowledgedBy === sender && fired > 0 && firing > 0) this.page();
    else if (this.status === 'triggered' && firing === 0 && heard > 0 && !isAgain) {
      // Rule 5.
      const [latest] = [...this.alerts]
        .filter(([, { status }]) => status === 'acknowledged')
        .sort(([a, x], [b, y]) => y.at - x.at || (a < b ? 1 : -1));
      this.handle(latest?.[1].by ?? '');
    } else if (this.pages) {
      if (isRise && (this.status === 'acknowledged' || this.level > 0)) this.notices.push('rise');
      if (this.status === 'acknowledged') this.gather(Math.max(joined, fired), firing);
    }

    // Rule 10.
    if (this.status !== 'triggered' || this.left === null) return;
    if (heard > 0) this.isHeld = false;
    else if (open.length > 0 || resolved > 0) this.isHeld = true;
  }

  /** Rule 4. */
  private gather(added: number, firing: number): void {
    if (this.gathered && firing === 0) this.gathered.untold = 0;
    if (firing === 0 || added === 0) return;
    this.gathered ??= { toldAt: -gatherTicks, untold: 0 };
    this.gathered.untold += added;
    this.tellGathered();
  }

  private tellGathered(): boolean {
    if (!this.gathered || this.gathered.untold === 0 || this.tick < this.gathered.toldAt + gatherTicks) return false;
    this.notices.push(`joined ${this.gathered.untold}`);
    this.gathered = { toldAt: this.tick, untold: 0 };
    return true;
  }

  // --- Time -----------------------------------------------------------------------------------------------------------

  private wait(ticks: number): void {
    for (let i = 0; i < ticks; i++) {
      this.tick++;
      if (this.status === 'triggered' && !this.isHeld && this.left !== null) this.left--;
      this.runDue();
    }
  }

  private runDue(): void {
    while (this.doOne());
  }

  private doOne(): boolean {
    if (this.status === 'acknowledged' && this.endsAt !== null && this.endsAt <= this.tick) {
      this.page();
      this.isHeld = this.alerts.size === 0 && this.hadAlerts > 0;
      this.fireAll();
      return true;
    }
    if (this.pages && this.status === 'triggered' && !this.isHeld && this.left !== null && this.left <= 0) {
      this.tellLevel();
      return true;
    }
    if (this.quietAt !== null && this.quietAt <= this.tick) {
      this.quietAt = null;
      this.notices.push('flappingOver');
      if (this.alerts.size === 0 && this.autoResolve) this.end();
      this.settle({});
      return true;
    }
    return this.tellGathered();
  }

  /** Rule 9: the first level that was not told in this round, or the first one of a round after one that reached somebody. */
  private tellLevel(): void {
    const policy = this.stage === 'owners' ? null : this.policies[this.stage];
    const untold = policy?.levels.find(({ id }) => !this.passed.includes(id));
    const isAgain = policy !== null && this.reached.has(this.round) && this.round <= policy.repeat;
    const next = untold ?? (isAgain ? policy.levels[0] : undefined);
    if (!next && this.stage === 'policy') {
      this.stage = 'catchAll';
      this.round = 1;
      this.level = 0;
      this.passed = [];
      this.reached = new Set();
      return;
    }
    if (!next) {
      const isReachable = !this.unreachable.has('owners.1');
      this.told.push(`${this.episode} owners${isReachable ? '' : ', nobody'}`);
      this.stage = 'owners';
      this.left = null;
      if (isReachable) this.toldAt = this.tick;
      return;
    }
    if (!untold) {
      this.round++;
      this.level = 0;
      this.passed = [];
    }
    this.level++;
    this.passed.push(next.id);
    const isReachable = !this.unreachable.has(`${this.stage}.${this.level}`);
    this.told.push(
      `${this.episode} ${this.stage} ${this.round}.${this.level} ${next.id}${isReachable ? '' : ', nobody'}`,
    );
    if (isReachable) this.reached.add(this.round);
    const isFirst = this.stage === 'policy' && this.round === 1 && this.level === 1;
    if (isReachable && !isFirst) this.toldAt = this.tick;
    this.left = isReachable ? next.ticks : 0;
  }
}
