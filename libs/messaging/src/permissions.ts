/**
 * What each service may publish and subscribe to on NATS: its own subjects, its streams, its own replies. Only the API
 * gateway may publish on `rpc.>`, so a service can trust the principal in a call. Every deployment creates the NATS
 * users from this table.
 */
import {
  alertEventsStream,
  alertEventsSubjects,
  announcementsBucket,
  attemptResultRequest,
  auditStream,
  auditSubject,
  calendarRequest,
  requestLogStream,
  requestLogSubject,
  scheduleEventsSubject,
  suppressionEventsSubject,
  handshakeStream,
  handshakeSubject,
  incidentEventsSubject,
  ingestIdempotencyBucket,
  ingestLimitStream,
  ingestLimitSubjects,
  ingestStream,
  ingestSubjects,
  integrationsBucket,
  operationsOf,
  admitRequest,
  deviceGoneRequest,
  keyRevokedRequest,
  sessionsEndedRequest,
  accountMailRequest,
  sendRequest,
  subjectOf,
  teamMembershipRequest,
  heartbeatRequest,
  heartbeatsRequest,
  receivingRequest,
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  workflowCommandRequest,
  type Owner,
} from '@ams/contracts';

export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
  /** May publish a reply to a request that it received. */
  answers: boolean;
}

/** The part of the JetStream API that concerns one stream. */
const work = (stream: string): string[] => [
  ...['CREATE', 'UPDATE', 'INFO', 'PURGE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.>`,
  ...['CREATE', 'INFO', 'DELETE', 'DURABLE.CREATE', 'MSG.NEXT'].flatMap((verb) => [
    `$JS.API.CONSUMER.${verb}.${stream}`,
    `$JS.API.CONSUMER.${verb}.${stream}.>`,
  ]),
  `$JS.ACK.${stream}.>`,
];

/** Reads a stream with consumers of its own. It may not create, change or purge it, nor delete other consumers. */
const follow = (stream: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  ...['CREATE', 'INFO', 'MSG.NEXT'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
];

const bucket = (name: string): string[] => [...work(`KV_${name}`), `$KV.${name}.>`];
const always = ['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.FC.>'];
const inbox = (service: string): string => `_INBOX_${service}.>`;
const asked = (owner: Owner): string[] => operationsOf(owner).map(subjectOf);

/** Requests of the ingest gateway to the alert pipeline. */
const ofSenders = [
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  heartbeatRequest,
  heartbeatsRequest,
].map(({ subject }) => subject);

const table = {
  'api-gateway': {
    publish: ['rpc.>', ...work(`KV_${announcementsBucket}`), ...follow(alertEventsStream)],
    subscribe: [keyRevokedRequest.subject, sessionsEndedRequest.subject],
    answers: true,
  },
  'ingest-gateway': {
    publish: [
      ingestSubjects,
      requestLogSubject,
      handshakeSubject,
      ingestLimitSubjects,
      ...ofSenders,
      ...[ingestStream, requestLogStream, handshakeStream, ingestLimitStream].flatMap(work),
      ...bucket(ingestIdempotencyBucket),
      ...bucket(integrationsBucket),
    ],
    subscribe: [receivingRequest.subject],
    answers: true,
  },
  auth: {
    publish: [
      keyRevokedRequest.subject,
      teamMembershipRequest.subject,
      sessionsEndedRequest.subject,
      accountMailRequest.subject,
      ...work(auditStream),
      ...bucket(announcementsBucket),
    ],
    subscribe: [admitRequest.subject, deviceGoneRequest.subject, ...asked('auth')],
    answers: true,
  },
  'resource-api': {
    publish: [
      auditSubject,
      scheduleEventsSubject,
      suppressionEventsSubject,
      ...[auditStream, requestLogStream, alertEventsStream].flatMap(work),
      ...bucket(announcementsBucket),
      ...bucket(integrationsBucket),
    ],
    subscribe: [calendarRequest.subject, teamMembershipRequest.subject, ...asked('resource-api')],
    answers: true,
  },
  'alert-pipeline': {
    publish: [
      auditSubject,
      alertEventsSubjects,
      incidentEventsSubject,
      ...[auditStream, ingestStream, alertEventsStream].flatMap(work),
      // It purges what all consumers have acknowledged.
      `$JS.API.CONSUMER.LIST.${alertEventsStream}`,
      ...bucket(announcementsBucket),
      receivingRequest.subject,
    ],
    subscribe: [workflowCommandRequest.subject, ...ofSenders, ...asked('alert-pipeline')],
    answers: true,
  },
  'workflow-engine': {
    publish: [
      sendRequest.subject,
      attemptResultRequest('*').subject,
      workflowCommandRequest.subject,
      deviceGoneRequest.subject,
      auditSubject,
      ...[auditStream, alertEventsStream].flatMap(work),
      ...bucket(announcementsBucket),
    ],
    subscribe: asked('workflow-engine'),
    answers: true,
  },
  /** The notifier sends to external systems. On NATS it only replies. */
  notifier: {
    publish: [],
    subscribe: [sendRequest.subject, attemptResultRequest('*').subject, accountMailRequest.subject],
    answers: true,
  },
  /** The admin command: replays messages that were set aside, and notifies the gateways of keys and sessions that it ends. */
  admin: {
    publish: [
      ingestSubjects,
      alertEventsSubjects,
      incidentEventsSubject,
      scheduleEventsSubject,
      suppressionEventsSubject,
      keyRevokedRequest.subject,
      sessionsEndedRequest.subject,
      ...work(ingestStream),
    ],
    subscribe: [],
    answers: false,
  },
} satisfies Record<string, NatsPermissions>;

export type NatsUserName = keyof typeof table;

export const natsUsers = Object.keys(table) as NatsUserName[];

export function permissionsOf(service: NatsUserName): NatsPermissions {
  const { publish, subscribe, answers } = table[service];
  return { publish: [...always, ...publish], subscribe: [inbox(service), ...subscribe], answers };
}
