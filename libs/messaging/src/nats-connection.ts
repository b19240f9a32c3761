/** The connection of the process, as an injection token: a value and a type with the same name. */
import type { NatsConnection as TransportConnection } from '@nats-io/transport-node';

export type NatsConnection = TransportConnection;
export const NatsConnection = class NatsConnection {} as unknown as abstract new () => TransportConnection;
