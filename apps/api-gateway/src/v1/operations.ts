/** The operations that the services announce: the routing table and the document, which are replaced together. */
import type { AnnouncedOperation, Announcement } from '@ams/contracts';
import { Logger, NatsConnection, watchAnnouncements, whenAvailable } from '@ams/messaging';
import { Metrics, Readiness } from '@ams/service';
import type { Scope } from '@ams/scopes';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { documentOf, ownPart, type OpenApiDocument } from '../docs/document.js';
import { AnnouncedParts, differencesOf, faultsOf } from './announced-parts.js';
import { OperationTable, type Route } from './operation-table.js';
import { ApiGatewaySettings } from '../settings.js';

export interface AnnouncedInterface {
  table: OperationTable;
  document: OpenApiDocument;
}

@Injectable()
export class Operations implements OnModuleInit, OnApplicationShutdown {
  /** One value, so that a reader never gets a table and a document of different versions. */
  current: AnnouncedInterface;
  private readonly parts = new AnnouncedParts(ownPart);
  private readonly flawed = new Set<string>();
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly settings: ApiGatewaySettings,
    private readonly log: Logger,
    metrics: Metrics,
    readiness: Readiness,
  ) {
    this.current = this.build();
    readiness.add('operations', () => (this.parts.accepted.length > 0 ? null : 'no operations announced yet'));
    metrics.gauge(
      'ams_gateway_refused_parts',
      'Announced parts of the interface that are refused, because they conflict or cannot be read.',
      [],
      (gauge) => gauge.set(this.parts.refusals.length + this.flawed.size),
    );
    metrics.gauge('ams_gateway_operations', 'Operations that are routed.', [], (gauge) =>
      gauge.set(this.current.table.all.length),
    );
  }

  async onModuleInit(): Promise<void> {
    const { stop } = await whenAvailable(this.log, () =>
      watchAnnouncements(this.connection, (announcement, place) => this.offer(announcement, place)),
    );
    this.stopWatching = stop;
  }

  onApplicationShutdown(): void {
    this.stopWatching();
  }

  private offer(announcement: Announcement, place: number): void {
    const faults = faultsOf(announcement);
    const service = String((announcement as Partial<Announcement> | null)?.service);
    this.flawed.delete(service);
    if (faults.length > 0) {
      this.flawed.add(service);
      this.log.error({ part: service, reasons: faults }, 'an announced part cannot be used; the previous one stays');
      return;
    }
    const changed = this.parts.offer(announcement, place);
    const refusal = this.parts.refusals.find((refused) => refused.service === service);
    if (refusal)
      this.log.error(
        { part: service, reasons: refusal.reasons },
        'an announced part conflicts with another; the previous one stays',
      );
    if (!changed) return;
    this.current = this.build();
    const differing = differencesOf(this.parts.accepted);
    if (differing.length > 0)
      this.log.warn(
        { part: service, schemas: differing },
        'services announce different versions of schemas; the document has the version that was announced last',
      );
    this.log.info({ part: service, operations: this.current.table.all.length }, 'the interface has changed');
  }

  private build(): AnnouncedInterface {
    const announcements = this.parts.accepted;
    const routes = [
      ...announcements.flatMap(({ service, operations }) => operations.map((one) => routeOf(one, service))),
      ...ownPart.operations.map((own) => ({ ...routeOf(own, ''), scope: null, target: null })),
    ];
    return { table: new OperationTable(routes), document: documentOf(announcements, this.settings.publicUrl ?? null) };
  }
}

const routeOf = (
  { id, method, path, scope, access, subject, body, deprecated, counts, file, openapi }: AnnouncedOperation,
  owner: string,
): Route => ({
  id,
  operationId: String(openapi['operationId']),
  method,
  path,
  scope: scope === '' ? null : (scope as Scope),
  access,
  target: { subject, owner },
  body,
  deprecated,
  counts,
  file,
});
