/**
 * The name of the service, such as `resource-api`: used in the log, the NATS connection, the queue group and the
 * announcement.
 */
export class ServiceName {
  constructor(readonly value: string) {}
}
