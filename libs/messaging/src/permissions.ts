/**
 * What each service may say and hear on the broker: its own subjects, the streams it works with, its own replies. Only the
 * API gateway may ask (`rpc.>`), so a service can trust the principal in a request. Every way of deploying makes the
 * broker's users from this one table.
 */
import {
  alertEventsStream,
  alertEventsSubjects,
  announcementsBucket,
  auditStream,
  auditSubject,
  requestLogStream,
  requestLogSubject,
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
  admitSubject,
  revokedSubject,
  sendSubject,
  subjectOf,
  workflowCommandSubject,
  type Owner,
} from '@ams/contracts';

export interface BrokerPermissions {
  publish: string[];
  subscribe: string[];
  /** May reply to what it was asked. */
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

const bucket = (name: string): string[] => [...work(`KV_${name}`), `$KV.${name}.>`];
const always = ['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.FC.>'];
const inbox = (service: string): string => `_INBOX_${service}.>`;
const asked = (owner: Owner): string[] => operationsOf(owner).map(subjectOf);

const table = {
  'api-gateway': {
    publish: ['rpc.>', ...work(`KV_${announcementsBucket}`)],
    subscribe: [revokedSubject],
    answers: true,
  },
  'ingest-gateway': {
    publish: [
      ingestSubjects,
      requestLogSubject,
      handshakeSubject,
      ingestLimitSubjects,
      ...[ingestStream, requestLogStream, handshakeStream, ingestLimitStream].flatMap(work),
      ...bucket(ingestIdempotencyBucket),
      ...bucket(integrationsBucket),
    ],
    subscribe: [],
    answers: false,
  },
  auth: {
    publish: [revokedSubject, ...work(auditStream), ...bucket(announcementsBucket)],
    subscribe: [admitSubject, ...asked('auth')],
    answers: true,
  },
  'resource-api': {
    publish: [
      auditSubject,
      ...[auditStream, requestLogStream].flatMap(work),
      ...bucket(announcementsBucket),
      ...bucket(integrationsBucket),
    ],
    subscribe: asked('resource-api'),
    answers: true,
  },
  'alert-pipeline': {
    publish: [
      auditSubject,
      alertEventsSubjects,
      incidentEventsSubject,
      ...[auditStream, ingestStream, alertEventsStream].flatMap(work),
      ...bucket(announcementsBucket),
    ],
    subscribe: [workflowCommandSubject, ...asked('alert-pipeline')],
    answers: true,
  },
  'workflow-engine': {
    publish: [
      sendSubject,
      workflowCommandSubject,
      auditSubject,
      ...[auditStream, alertEventsStream].flatMap(work),
      ...bucket(announcementsBucket),
    ],
    subscribe: asked('workflow-engine'),
    answers: true,
  },
  /** Speaks to the outside, and to the broker only when it is asked. */
  notifier: { publish: [], subscribe: [sendSubject], answers: true },
  /** The admin command: plays messages that were set aside again, and tells the gateways of keys that it revokes. */
  admin: { publish: [ingestSubjects, revokedSubject, ...work(ingestStream)], subscribe: [], answers: false },
} satisfies Record<string, BrokerPermissions>;

export type BrokerUser = keyof typeof table;

export const brokerUsers = Object.keys(table) as BrokerUser[];

export function permissionsOf(service: BrokerUser): BrokerPermissions {
  const { publish, subscribe, answers } = table[service];
  return { publish: [...always, ...publish], subscribe: [inbox(service), ...subscribe], answers };
}
