/**
 * What each service may do on NATS. Each has an account of its own; only what an account imports reaches another one.
 * Streams are in the account `BROKER`, where only `broker-admin` is a user.
 *
 * Permissions of users in one account would not separate the services. NATS does not check the reply subject of a
 * message: whoever publishes to a stream may name `$JS.API.STREAM.PURGE.<another stream>` there, and the
 * acknowledgement `{"seq": 7}` purges the other one (docs/adr/0047). In an account of its own, this subject leads
 * nowhere. For the same reason no service may create a consumer, whose subject of delivery NATS does not check either.
 */
import {
  accountMailRequest,
  admitRequest,
  alertEventsStream,
  alertEventsSubjects,
  announcementsBucket,
  attemptResultRequest,
  auditStream,
  auditSubject,
  calendarRequest,
  deviceGoneRequest,
  domainTextsRequest,
  handshakeSubject,
  heartbeatRequest,
  heartbeatsRequest,
  incidentEventsSubject,
  ingestIdempotencyBucket,
  ingestLimitStream,
  ingestLimitSubjects,
  ingestStream,
  ingestSubjects,
  integrationsBucket,
  keyRevokedRequest,
  mailRefusedRequest,
  operationsOf,
  receivingRequest,
  requestLogStream,
  requestLogSubject,
  scheduleEventsSubject,
  sealAddressRequest,
  sendRequest,
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  sessionsEndedRequest,
  statusBucket,
  subjectOf,
  suppressionEventsSubject,
  teamMembershipRequest,
  workflowCommandRequest,
  type Owner,
} from '@ams/contracts';
import { consumers, type DurableConsumer } from './consumers.js';
import { newsSubject, streamOfBucket } from './streams.js';

interface Rights {
  /** Subjects of requests that it answers. */
  answers: string[];
  /** Subjects of requests that it sends to other services. */
  asks: string[];
  /** Subjects in `BROKER`: of streams to which it publishes, and of the JetStream API. */
  broker: string[];
  /** Streams and buckets that it follows: NATS tells it of each new message (news.ts). */
  follows?: string[];
}

const info = (stream: string): string => `$JS.API.STREAM.INFO.${stream}`;
/** Reads messages by their sequence or subject. */
const read = (stream: string): string[] => [
  info(stream),
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.>`,
];
/** Reads with a consumer that exists, and acknowledges. */
const consume = (stream: string, consumer: string): string[] => [
  info(stream),
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
  `$JS.ACK.${stream}.${consumer}.>`,
];
const durable = ({ stream, config }: DurableConsumer): string[] => consume(stream, config.durable_name);
/** Reads a bucket; writes the keys. */
const bucket = (name: string, ...keys: string[]): string[] => [
  ...read(streamOfBucket(name)),
  ...keys.map((key) => `$KV.${name}.${key}`),
];

const domainEventSubjects: readonly string[] = [
  alertEventsSubjects,
  incidentEventsSubject,
  scheduleEventsSubject,
  suppressionEventsSubject,
];

const operations = (owner: Owner): string[] => operationsOf(owner).map(subjectOf);
const owners = ['auth', 'resource-api', 'alert-pipeline', 'workflow-engine'] as const satisfies Owner[];

/** Requests of the ingest gateway to the alert pipeline. */
const ofSenders = [
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  heartbeatRequest,
  heartbeatsRequest,
].map(({ subject }) => subject);

/** The streams to which the outbox of a service publishes. */
const outbox = (...streams: string[]): string[] => [auditSubject, ...[auditStream, ...streams].map(info)];

/** Where the replicas of a service report (`StatusReport`). */
const report = (service: string): string => `$KV.${statusBucket}.${service}.*`;

const table = {
  'api-gateway': {
    answers: [keyRevokedRequest.subject, sessionsEndedRequest.subject],
    asks: [...owners.flatMap(operations), admitRequest.subject, calendarRequest.subject],
    broker: [...bucket(announcementsBucket), ...read(alertEventsStream), report('api-gateway')],
    follows: [alertEventsStream, streamOfBucket(announcementsBucket)],
  },
  'ingest-gateway': {
    answers: [receivingRequest.subject],
    asks: ofSenders,
    broker: [
      ingestSubjects,
      requestLogSubject,
      handshakeSubject,
      ingestLimitSubjects,
      ...[ingestStream, requestLogStream].map(info),
      ...read(ingestLimitStream),
      ...durable(consumers.handshakes),
      ...bucket(ingestIdempotencyBucket, '>'),
      ...bucket(integrationsBucket),
      report('ingest-gateway'),
    ],
    follows: [streamOfBucket(integrationsBucket)],
  },
  auth: {
    answers: [admitRequest.subject, deviceGoneRequest.subject, mailRefusedRequest.subject, ...operations('auth')],
    asks: [
      keyRevokedRequest.subject,
      teamMembershipRequest.subject,
      sessionsEndedRequest.subject,
      accountMailRequest.subject,
      domainTextsRequest.subject,
    ],
    broker: [...durable(consumers.audit), ...outbox(), ...bucket(announcementsBucket, 'auth'), report('auth')],
  },
  'resource-api': {
    answers: [
      calendarRequest.subject,
      teamMembershipRequest.subject,
      sealAddressRequest.subject,
      ...operations('resource-api'),
    ],
    asks: [],
    broker: [
      scheduleEventsSubject,
      suppressionEventsSubject,
      ...outbox(alertEventsStream),
      ...durable(consumers.requestLog),
      ...bucket(announcementsBucket, 'resource-api'),
      ...bucket(integrationsBucket, '>'),
      report('resource-api'),
    ],
  },
  'alert-pipeline': {
    answers: [workflowCommandRequest.subject, ...ofSenders, ...operations('alert-pipeline')],
    asks: [receivingRequest.subject],
    broker: [
      alertEventsSubjects,
      incidentEventsSubject,
      ...outbox(alertEventsStream),
      ...read(ingestStream),
      // All consumers of this stream are those of the partitions.
      ...consume(ingestStream, '*'),
      `$JS.API.CONSUMER.INFO.${alertEventsStream}.${consumers.domainEvents.config.durable_name}`,
      // It knows what was applied and committed, and deletes only this from both streams.
      ...[ingestStream, alertEventsStream].map((stream) => `$JS.API.STREAM.PURGE.${stream}`),
      ...bucket(announcementsBucket, 'alert-pipeline'),
      report('alert-pipeline'),
    ],
  },
  'workflow-engine': {
    answers: operations('workflow-engine'),
    asks: [
      sendRequest.subject,
      attemptResultRequest('*').subject,
      workflowCommandRequest.subject,
      deviceGoneRequest.subject,
      mailRefusedRequest.subject,
      sealAddressRequest.subject,
    ],
    broker: [
      ...outbox(),
      ...durable(consumers.domainEvents),
      `$JS.API.STREAM.MSG.GET.${alertEventsStream}`,
      ...bucket(announcementsBucket, 'workflow-engine'),
      // It collects the reports of all.
      ...read(streamOfBucket(statusBucket)),
      report('workflow-engine'),
    ],
  },
  /** The notifier sends to external systems. On NATS it only replies, and reports how it is. */
  notifier: {
    answers: [
      sendRequest.subject,
      attemptResultRequest('*').subject,
      accountMailRequest.subject,
      domainTextsRequest.subject,
    ],
    asks: [],
    broker: [report('notifier')],
  },
  /** The admin command: replays messages that were set aside, and notifies the gateways of keys and sessions that it ends. */
  admin: {
    answers: [],
    asks: [keyRevokedRequest.subject, sessionsEndedRequest.subject],
    broker: [ingestSubjects, ...domainEventSubjects],
  },
} satisfies Record<string, Rights>;

type ServiceUser = keyof typeof table;
const services = Object.keys(table) as ServiceUser[];

/** The user that makes streams and consumers (broker.ts), and operators who look after them. */
export const brokerAdmin = 'broker-admin';
export type NatsUserName = ServiceUser | typeof brokerAdmin;
export const natsUsers: readonly NatsUserName[] = [...services, brokerAdmin];

/** The account of the streams. */
export const brokerAccount = 'BROKER';
/** Nobody is in it: see `withoutJetStream`. */
const nowhere = 'NOWHERE';
const accountOf = (service: ServiceUser): string => service.toUpperCase();

export const rightsOf = (service: ServiceUser): Rights => table[service];
const newsFor = (service: ServiceUser): string[] => (rightsOf(service).follows ?? []).map(newsSubject);

/** Every replica answers: NATS must not end the request with the first answer. */
const toEveryReplica = new Set<string>(
  [keyRevokedRequest, sessionsEndedRequest, receivingRequest].map((r) => r.subject),
);
const isPull = (subject: string): boolean => subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.');

interface ServiceExport {
  service: string;
  accounts: string[];
  response_type?: 'stream';
  response_threshold?: string;
}

const exportOf = (subject: string, accounts: string[]): ServiceExport => ({
  service: subject,
  accounts,
  // How long NATS keeps the way of the answers. A pull request waits 30 s at the most.
  ...(toEveryReplica.has(subject) || isPull(subject) ? { response_type: 'stream', response_threshold: '60s' } : {}),
});

/** Each account has by default an import of `$JS.API.>`, which would answer before the account of the streams does. */
const withoutJetStream = { service: { account: nowhere, subject: 'nothing.>' }, to: '$JS.API.>' };
/** Whether JetStream is enabled, its limits and its use: a service asks when it starts. */
const jetStreamInfo = '$JS.API.INFO';

export interface NatsLogin {
  user: string;
  password: string;
}

/**
 * The value of `accounts` in the configuration of a NATS server, with a user for each service and `broker-admin`.
 * `more`: further users of the account of the streams.
 */
export function natsAccounts(passwordOf: (user: NatsUserName) => string, more: NatsLogin[] = []): object {
  const brokerSubjects = (service: ServiceUser): string[] => [...new Set([jetStreamInfo, ...table[service].broker])];
  const importersOf = (subject: string, subjectsOf: (service: ServiceUser) => readonly string[]): string[] =>
    services.filter((service) => subjectsOf(service).includes(subject)).map(accountOf);
  const ownerOf = (subject: string): ServiceUser => {
    const owner = services.find((service) => rightsOf(service).answers.includes(subject));
    if (!owner) throw new Error(`no service answers ${subject}`);
    return owner;
  };
  const accounts = services.map((service) => {
    const { answers, asks } = rightsOf(service);
    return [
      accountOf(service),
      {
        users: [{ user: service, password: passwordOf(service) }],
        exports: answers
          .map((subject) =>
            exportOf(
              subject,
              importersOf(subject, (other) => rightsOf(other).asks),
            ),
          )
          .filter(({ accounts }) => accounts.length > 0),
        imports: [
          ...brokerSubjects(service).map((subject) => ({ service: { account: brokerAccount, subject } })),
          ...asks.map((subject) => ({ service: { account: accountOf(ownerOf(subject)), subject } })),
          ...newsFor(service).map((subject) => ({ stream: { account: brokerAccount, subject } })),
          withoutJetStream,
        ],
      },
    ] as const;
  });
  const exported = [...new Set(services.flatMap(brokerSubjects))];
  const news = [...new Set(services.flatMap(newsFor))];
  return {
    [brokerAccount]: {
      jetstream: 'enabled',
      users: [{ user: brokerAdmin, password: passwordOf(brokerAdmin) }, ...more],
      exports: [
        ...exported.map((subject) => exportOf(subject, importersOf(subject, brokerSubjects))),
        ...news.map((subject) => ({ stream: subject, accounts: importersOf(subject, newsFor) })),
      ],
    },
    [nowhere]: { exports: [{ service: 'nothing.>' }] },
    ...Object.fromEntries(accounts),
  };
}
