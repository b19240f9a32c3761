/** What protects a gateway from callers that send slowly, guess, or ask on above their limit: one for each replica. */
import { Injectable } from '@nestjs/common';
import { Metrics } from '../metrics.js';
import { EdgeSettings } from '../settings.js';
import { Bodies, type BodyLimits } from './bodies.js';
import { Connections } from './connections.js';
import { RefusalPace } from './refusal-pace.js';
import { Throttle } from './throttle.js';

const MiB = 1024 * 1024;

/** Files that are open besides the connections of callers: listeners, NATS, the other gateway. */
const otherFiles = 600;

@Injectable()
export class Edge {
  readonly connections: Connections;
  readonly bodies: Bodies;
  /** Bodies with limits and memory of their own. */
  readonly moreBodies: (limits: BodyLimits) => Bodies;
  /** Requests without a valid key or token, by network. */
  readonly failures: Throttle;
  /** Of callers whose limit is used up, by caller. */
  readonly refusals = new RefusalPace();

  constructor(settings: EdgeSettings, metrics: Metrics) {
    const refused = metrics.counter(
      'ams_edge_refused_total',
      'Connections and requests that were ended to protect this gateway, by reason.',
      ['reason'],
    );
    this.connections = new Connections(
      {
        total: Math.min(settings.maxConnections, Math.max(10, openFiles() - otherFiles)),
        waitingPerAddress: settings.trustProxy ? null : settings.waitingPerAddress,
      },
      (reason) => refused.inc({ reason: reason === 'total' ? 'connections' : 'connectionsOfAddress' }),
    );
    this.moreBodies = (limits) => new Bodies(limits, (reason) => refused.inc({ reason }));
    this.bodies = this.moreBodies({ bytes: settings.bodyMemoryMiB * MiB, perSender: settings.bodiesPerAddress });
    this.failures = new Throttle(settings.failuresPerAddress);
    metrics.gauge('ams_edge_connections', 'Open connections of callers.', [], (gauge) =>
      gauge.set(this.connections.size),
    );
    metrics.gauge(
      'ams_edge_refusals_waiting',
      'Refusals (429) to callers that ask on above their limit, which wait.',
      [],
      (gauge) => gauge.set(this.refusals.waiting),
    );
    metrics.gauge('ams_edge_body_bytes', 'Bytes of bodies in memory.', [], (gauge) => gauge.set(this.bodies.bytes));
  }
}

/** The limit of open files of this process. */
function openFiles(): number {
  const { report } = process;
  (report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const limits = (report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }).userLimits;
  const soft = Number(limits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Infinity;
}
