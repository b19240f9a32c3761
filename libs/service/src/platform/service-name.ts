/** The name of the service, such as `resource-api`: in the log, of its NATS connection, queue group and announcement. */
export class ServiceName {
  constructor(readonly value: string) {}
}
