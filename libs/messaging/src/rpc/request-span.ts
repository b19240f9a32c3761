/** The spans of requests between services, by the semantic conventions for RPC. */
import { statusOfCode, type FaultCode } from '@ams/contracts';
import {
  childSpan,
  endSpan,
  failSpan,
  refuseSpan,
  SpanKind,
  type Attributes,
  type Span,
  type SpanFacts,
} from '@ams/tracing';

const uuid = /\.[\da-f]{8}-[\da-f-]{27}$/;

/** A request to one replica has the id of the replica at the end of its subject. */
const nameOf = (subject: string): string => subject.replace(uuid, '');

export function spanOfRequest(subject: string, kind: SpanKind, more: Attributes = {}): SpanFacts {
  const name = nameOf(subject);
  const [, service, ...method] = name.split('.');
  return {
    name,
    kind,
    attributes: {
      'rpc.system': 'nats',
      ...(service !== undefined && { 'rpc.service': service }),
      ...(method.length > 0 && { 'rpc.method': method.join('.') }),
      ...more,
    },
  };
}

/** `outcome`: see `Answered` in rpc-server.ts. */
export function endAnswered(span: Span | undefined, outcome: string): void {
  const status = outcome === 'ok' ? 200 : (statusOfCode[outcome as FaultCode] ?? 500);
  if (status >= 500) failSpan(span, outcome);
  else if (status >= 400) refuseSpan(span, outcome);
  endSpan(span);
}

/** A request that the active span sends. Undefined when its trace is not recorded. */
export const clientSpan = (subject: string): Span | undefined =>
  childSpan(() => spanOfRequest(subject, SpanKind.CLIENT));
