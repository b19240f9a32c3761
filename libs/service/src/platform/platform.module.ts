/**
 * The parts of every service: settings, log, metrics, the connection to NATS, and client and server of requests between
 * services. Global, so that feature modules inject `Logger`, `Metrics`, `RpcClient` and their settings class by type.
 */
import { callRefusals } from '@ams/domain';
import {
  connectNats,
  Logger,
  NatsConnection,
  OrganizationActivity,
  requireServer,
  RpcClient,
  RpcServer,
  type Answered,
  type Refused,
} from '@ams/messaging';
import { Module, type DynamicModule, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { Inject } from '@nestjs/common';
import { Metrics } from '../metrics.js';
import { DatabaseSettings, EdgeSettings, natsTls, ServiceSettings } from '../settings.js';
import { organizationActivity } from './evaluation-turns.js';
import { EventLoopWatch } from './event-loop-watch.js';
import { OperationsAnnouncer } from './operations-announcer.js';
import { ServiceName } from './service-name.js';
import { signedCallsOf } from './signed-calls-of.js';

const baseSettings = [ServiceSettings, EdgeSettings, DatabaseSettings];

/** The settings, by their own class and by each class that they extend. */
const settingsProviders = (settings: ServiceSettings): Provider[] => [
  { provide: settings.constructor as new () => ServiceSettings, useValue: settings },
  ...baseSettings
    .filter((base) => settings instanceof base && settings.constructor !== base)
    .map((base) => ({ provide: base, useValue: settings })),
];

/** Throws when the NATS server cannot be used with its settings. */
async function connect({ value: name }: ServiceName, settings: ServiceSettings, log: Logger): Promise<NatsConnection> {
  const nats = await connectNats({
    url: settings.natsUrl,
    user: settings.natsUser,
    password: settings.natsPassword,
    tls: natsTls(settings),
    name,
    inboxPrefix: `_INBOX_${name}`,
    log: (level, message) => log[level]({}, message),
  });
  try {
    await requireServer(nats);
  } catch (error) {
    await nats.close();
    throw error;
  }
  return nats;
}

/** Counts the requests of other services. A subject is that of a handler, so there are as many as handlers. */
function measureAnswers(metrics: Metrics): Answered {
  const requests = metrics.counter(
    'ams_rpc_requests_total',
    'Requests of other services over NATS that were answered, by subject and outcome: `ok`, or the code of the fault.',
    ['subject', 'outcome'],
  );
  const durations = metrics.durations('ams_rpc_duration_seconds', 'From the arrival of a request to its answer.', [
    'subject',
  ]);
  return (subject, outcome, seconds) => {
    requests.inc({ subject, outcome });
    durations.observe({ subject }, seconds);
  };
}

/** Every refused call must be explained: see `AmsCallsRefused` in docs/runbooks.md. */
function measureRefusals(metrics: Metrics): Refused {
  const refusals = metrics.counter(
    'ams_calls_refused_total',
    'Calls that were refused, because the API gateway had not signed them as it must, by reason.',
    ['reason'],
  );
  // An increase from nothing would not be seen.
  for (const reason of callRefusals) refusals.inc({ reason }, 0);
  return (reason) => refusals.inc({ reason });
}

function measureWaiting(metrics: Metrics, server: RpcServer): void {
  const what = 'Calls of operations that wait for others of their organization, of which few are handled at once.';
  metrics.gauge('ams_rpc_calls_waiting', what, [], (gauge) => gauge.set(server.waitingCalls));
}

@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(NatsConnection) private readonly nats: NatsConnection) {}

  static forService(name: string, settings: ServiceSettings, log: Logger): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      providers: [
        ...settingsProviders(settings),
        { provide: ServiceName, useValue: new ServiceName(name) },
        { provide: Logger, useValue: log },
        { provide: Metrics, useFactory: () => new Metrics(name) },
        { provide: NatsConnection, useFactory: connect, inject: [ServiceName, ServiceSettings, Logger] },
        { provide: RpcClient, useFactory: (nats: NatsConnection) => new RpcClient(nats), inject: [NatsConnection] },
        {
          provide: RpcServer,
          useFactory: (nats: NatsConnection, log: Logger, metrics: Metrics, activity: OrganizationActivity) => {
            const server = new RpcServer(
              nats,
              name,
              log,
              measureAnswers(metrics),
              signedCallsOf(name, settings, log),
              measureRefusals(metrics),
              activity,
            );
            measureWaiting(metrics, server);
            return server;
          },
          inject: [NatsConnection, Logger, Metrics, OrganizationActivity],
        },
        { provide: OrganizationActivity, useValue: organizationActivity },
        OperationsAnnouncer,
        EventLoopWatch,
      ],
      exports: [
        ...settingsProviders(settings),
        ServiceName,
        Logger,
        Metrics,
        NatsConnection,
        RpcClient,
        RpcServer,
        OrganizationActivity,
        OperationsAnnouncer,
      ],
    };
  }

  /** Closed last, after everything else has drained. */
  async onApplicationShutdown(): Promise<void> {
    await this.nats.close();
  }
}
