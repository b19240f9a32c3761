/** The connection of the process, as a token for Nest's injector: a value and a type of one name. */
import type { NatsConnection as TransportConnection } from '@nats-io/transport-node';

export type NatsConnection = TransportConnection;
export const NatsConnection = class NatsConnection {} as unknown as abstract new () => TransportConnection;
