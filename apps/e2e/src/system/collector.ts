/** A collector of OpenTelemetry that keeps the spans which services post to it: OTLP over HTTP, in JSON. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string | null;
  name: string;
  traceState: string;
  attributes: Record<string, unknown>;
  failed: boolean;
}

export interface Collector {
  url: string;
  /** The spans of a trace, or all. */
  spans(traceId?: string): CollectedSpan[];
  /** The heads and the bodies of all requests. */
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

/** The parts of OTLP that are read here: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Otlp {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        traceState?: string;
        name: string;
        attributes: Attribute[];
        status: { code?: number };
      }[];
    }[];
  }[];
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const spansIn = ({ resourceSpans }: Otlp): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ parentSpanId, traceState = '', attributes, status, traceId, spanId, name }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        traceId,
        spanId,
        parentId: parentSpanId || null,
        name,
        traceState,
        attributes: valuesOf(attributes),
        failed: status.code === 2,
      })),
    ),
  );

export async function openCollector(): Promise<Collector> {
  const collected: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      collected.push(...spansIn(JSON.parse(body) as Otlp));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: (traceId) => collected.filter((span) => traceId === undefined || span.traceId === traceId),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
