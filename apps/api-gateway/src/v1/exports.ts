/**
 * Exports: the answer of one request is all pages of a list, as NDJSON or CSV. The owner of the list is asked for the
 * next page when the caller has read the previous one, so a replica holds a page or two of each export.
 *
 * The answer has begun when a later page fails. So that it never looks complete, its connection is reset: without TCP's
 * normal end, which closes an answer of HTTP/1.0, and without the last chunk of HTTP/1.1.
 */
import { Fault, type Call, type ExportFile, type Page } from '@ams/contracts';
import { csvHeader, csvLines, exportFormats, ndjsonLine, type ExportFormat } from '@ams/domain';
import { Logger } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isOver } from '../http/request-context.js';
import { Owners } from '../rpc/owners.js';
import type { Target } from '../rpc/raw-rpc-client.js';
import { ApiGatewaySettings } from '../settings.js';

declare module 'fastify' {
  interface FastifyReply {
    /** Ends an export that is being written, in a way that its caller notices. */
    cut: ((reason: CutReason) => void) | null;
  }
}

export type CutReason = 'failed' | 'stalled' | 'revoked' | 'stopped';

export interface ExportRequest {
  target: Target;
  file: ExportFile;
  /** Without the position of the page. */
  call: Call;
}

/** A page is asked for again when its owner restarts. The pause grows with each attempt. */
const attempts = 6;
const pauseMs = 500;

/** What is made and written at once. Other callers are served between two parts. */
const chunkChars = 64 * 1024;

const busyRetrySeconds = 10;

const contentTypes: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

@Injectable()
export class Exports {
  /** Those that wait for a page of the owner. */
  private readonly asking = new WeakSet<FastifyReply>();
  /** By organization. */
  private readonly running = new Map<string, Set<FastifyReply>>();
  private readonly ended;

  constructor(
    private readonly owners: Owners,
    private readonly settings: ApiGatewaySettings,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.ended = metrics.counter(
      'ams_gateway_exports_total',
      'Exports that have ended: complete, left by the caller, failed, stalled (the caller did not read), revoked, stopped.',
      ['outcome'] as const,
    );
  }

  /** Throws RATE_LIMITED, and the fault of the first page. */
  async answer(request: FastifyRequest, reply: FastifyReply, wanted: ExportRequest): Promise<FastifyReply | undefined> {
    const { call, file } = wanted;
    this.enter(call.principal.organizationId, reply);
    const first = await this.pageAfter(undefined, wanted, reply, 1);
    if (isOver(reply)) return undefined;
    const format = formatOf(call.query['format']);
    reply.headers({
      'content-type': contentTypes[format],
      'content-disposition': `attachment; filename="${fileName(file, format, new Date())}"`,
      'cache-control': 'no-store',
    });
    if (request.method === 'HEAD') return reply.send();
    const stream = Readable.from(this.chunks(first, format, wanted, reply), {
      objectMode: false,
      highWaterMark: chunkChars,
    });
    this.watch(stream, reply, request);
    return reply.send(stream);
  }

  /** Ends the exports that still run. Their callers may repeat them at another replica. */
  stop(): void {
    for (const replies of this.running.values()) for (const reply of replies) reply.cut?.('stopped');
  }

  private enter(organizationId: string, reply: FastifyReply): void {
    const limit = this.settings.exportsPerOrganization;
    const replies = this.running.get(organizationId) ?? new Set();
    if (replies.size >= limit) {
      throw new Fault(
        'RATE_LIMITED',
        { scope: 'exports', limit, windowSeconds: 0, retryAfterSeconds: busyRetrySeconds },
        `${limit} exports of the organization are running, and no more are allowed at a time. ` +
          'Try again when one has ended.',
      );
    }
    this.running.set(organizationId, replies.add(reply));
    reply.raw.once('close', () => {
      replies.delete(reply);
      if (replies.size === 0 && this.running.get(organizationId) === replies) this.running.delete(organizationId);
    });
  }

  private watch(stream: Readable, reply: FastifyReply, { id: requestId, operation, raw }: FastifyRequest): void {
    let cutFor: CutReason | null = null;
    reply.cut = (reason) => {
      if (cutFor !== null || reply.raw.writableFinished) return;
      cutFor = reason;
      raw.socket.resetAndDestroy();
      stream.destroy();
    };
    // Node's own limit: neither does the caller read, nor is anything written.
    const stallMs = this.settings.exportStallSeconds * 1000;
    reply.raw.setTimeout(stallMs, () => {
      if (this.asking.has(reply)) reply.raw.setTimeout(stallMs);
      else reply.cut?.('stalled');
    });
    reply.raw.once('close', () => {
      const outcome = cutFor ?? (reply.raw.writableFinished ? 'complete' : 'left');
      this.ended.inc({ outcome });
      if (outcome !== 'complete') this.log.warn({ requestId, operation, outcome }, 'an export ended early');
    });
  }

  private async *chunks(
    first: Page<unknown>,
    format: ExportFormat,
    wanted: ExportRequest,
    reply: FastifyReply,
  ): AsyncGenerator<string, void, undefined> {
    try {
      const { columns } = wanted.file;
      const lineOf = format === 'csv' ? csvLines(columns) : ndjsonLine;
      if (format === 'csv') yield csvHeader(columns);
      let page = first;
      for (;;) {
        for (const chunk of chunksOf(page.data, lineOf)) {
          yield chunk;
          await nextTurn();
        }
        const { nextCursor } = page.meta;
        if (nextCursor === null) return;
        this.asking.add(reply);
        page = await this.pageAfter(nextCursor, wanted, reply, attempts);
        this.asking.delete(reply);
      }
    } catch (error) {
      if (!reply.raw.destroyed) {
        this.log.error({ err: error, requestId: wanted.call.requestId }, 'a page of an export failed');
        reply.cut?.('failed');
      }
      throw error;
    }
  }

  /** Throws the fault of the owner. UNAVAILABLE is tried so often in all. */
  private async pageAfter(
    after: string | undefined,
    { target, call }: ExportRequest,
    reply: FastifyReply,
    most: number,
  ): Promise<Page<unknown>> {
    const asked = {
      target,
      turnOf: call.principal.organizationId,
      message: JSON.stringify(after === undefined ? call : { ...call, after }),
      requestId: call.requestId,
      isOver: () => reply.raw.destroyed,
    };
    for (let attempt = 1; ; attempt++) {
      const owned = await this.owners.call(asked);
      if (owned.ok) return JSON.parse(Buffer.from(owned.body).toString()) as Page<unknown>;
      if (owned.fault.code !== 'UNAVAILABLE' || attempt >= most || reply.raw.destroyed) throw owned.fault;
      await sleep(pauseMs * attempt);
    }
  }
}

/** The records as text, in parts of about `chunkChars`. */
function* chunksOf(records: unknown[], lineOf: (record: unknown) => string): Generator<string> {
  let chunk = '';
  for (const record of records) {
    chunk += lineOf(record);
    if (chunk.length < chunkChars) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** The owner has refused another format. The last one of a repeated parameter counts, as it does there. */
function formatOf(sent: string | string[] | undefined): ExportFormat {
  const last = Array.isArray(sent) ? sent.at(-1) : sent;
  return exportFormats.find((format) => format === last) ?? exportFormats[0];
}

/** `alerts-20261120T140500Z.csv` */
const fileName = ({ name }: ExportFile, format: ExportFormat, at: Date): string =>
  `${name}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.${format}`;
