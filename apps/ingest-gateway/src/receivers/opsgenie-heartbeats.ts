/**
 * Opsgenie's heartbeat API. A ping is an event in the stream, so it counts also when the alert pipeline is down. The
 * pipeline stores the heartbeats and decides when one did not arrive. Pings have a rate limit of their own, so that
 * requests about alerts do not cause refused pings.
 */
import {
  Fault,
  heartbeatRequest,
  heartbeatsRequest,
  newUuid,
  type Heartbeat,
  type HeartbeatCommand,
  type HeartbeatReply,
} from '@ams/contracts';
import { heartbeatFingerprint, partitionOf, type MappedEvent } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Sender } from '../integrations/integrations.js';
import { Streams } from '../publishing/streams.js';
import { Admission } from './admission.js';
import { EventIntake } from './event-intake.js';
import { changedHeartbeatOf, heartbeatRequestOf, newHeartbeatOf, type HeartbeatRequest } from './heartbeat-request.js';
import { answerOf, heartbeatBody } from './opsgenie-answers.js';
import { bodyOf, opsgenieApi, tokenOf } from './opsgenie.js';
import { PayloadReader } from './payload-reader.js';
import { ReceiverRoutes } from './receiver-routes.js';
import type { RequestContext } from './request-context.js';
import { Responder } from './responder.js';
import { SenderRequests } from './sender-requests.js';

const prefixes = ['/v2/heartbeats', '/api/inbound/opsgenie/v2/heartbeats'];

@Injectable()
export class OpsgenieHeartbeats {
  constructor(
    private readonly routes: ReceiverRoutes,
    private readonly admission: Admission,
    private readonly reader: PayloadReader,
    private readonly intake: EventIntake,
    private readonly streams: Streams,
    private readonly responder: Responder,
    private readonly requests: SenderRequests,
  ) {}

  addRoutes(fastify: FastifyInstance): void {
    for (const prefix of prefixes) {
      for (const path of [prefix, `${prefix}/*`]) {
        this.routes.add(fastify, path, opsgenieApi, (context) => this.serve(context, prefix));
      }
    }
  }

  private async serve(context: RequestContext, prefix: string): Promise<void> {
    const { method = '', url = '', headers } = context.request;
    const asked = heartbeatRequestOf(method, url.slice(prefix.length));
    const token = tokenOf(headers.authorization);
    const sender = await this.admission.admit(context, token, asked.kind === 'ping' ? 'ping' : 'request');
    if (asked.kind === 'refused') throw asked.fault;
    if (asked.kind === 'ping') return this.ping(context, sender, asked.name);
    const body = await this.read(context, sender, asked);
    if (body !== null) this.responder.respond(context, asked.kind === 'create' ? 201 : 200, body, 'asked');
  }

  /** Null when the sender closed the connection. */
  private async read(
    context: RequestContext,
    sender: Sender,
    asked: Exclude<HeartbeatRequest, { kind: 'refused' | 'ping' }>,
  ): Promise<string | null> {
    if (asked.kind === 'list') {
      const { heartbeats } = await this.requests.ask(context, sender, heartbeatsRequest, {});
      return answerOf(context, { data: { heartbeats: heartbeats.map(heartbeatBody) } });
    }
    if (asked.kind === 'create' || asked.kind === 'update') {
      const content = await this.reader.read(context);
      if (content === null) return null;
      // The request log is for events.
      context.loggedPayload = null;
      const body = bodyOf(content.payload);
      if (asked.kind === 'update')
        return this.command(context, sender, asked.name, { kind: 'update', settings: changedHeartbeatOf(body) });
      const { name, settings } = newHeartbeatOf(body);
      return this.command(context, sender, name, { kind: 'create', settings });
    }
    if (asked.kind === 'get') return this.command(context, sender, asked.name, { kind: 'get' });
    if (asked.kind === 'delete') {
      await this.heartbeat(context, sender, asked.name, { kind: 'delete' });
      return answerOf(context, { message: `Heartbeat [${asked.name}] deleted` });
    }
    const enabled = asked.kind === 'enable';
    return this.command(context, sender, asked.name, { kind: 'update', settings: { enabled } });
  }

  private async command(
    context: RequestContext,
    sender: Sender,
    name: string,
    command: HeartbeatCommand,
  ): Promise<string> {
    return answerOf(context, { data: heartbeatBody(await this.heartbeat(context, sender, name, command)) });
  }

  private async heartbeat(
    context: RequestContext,
    sender: Sender,
    name: string,
    command: HeartbeatCommand,
  ): Promise<Heartbeat> {
    const reply = await this.ask(context, sender, name, command);
    if (reply.kind === 'done') return reply.heartbeat;
    if (reply.kind === 'missing') throw missing(name);
    if (reply.kind === 'exists') throw new Fault('CONFLICT', null, `Heartbeat with name [${name}] already exists.`);
    throw new Fault('CONFLICT', null, 'The integration has the maximum number of heartbeats.');
  }

  private ask(
    context: RequestContext,
    sender: Sender,
    name: string,
    command: HeartbeatCommand,
  ): Promise<HeartbeatReply> {
    const fingerprint = heartbeatFingerprint(name);
    const partition = partitionOf(sender.organizationId, sender.environment, fingerprint, this.streams.partitions);
    const { mapper } = sender.dropIn('opsgenie');
    const facts = {
      integrationName: sender.name,
      clientId: sender.clientId,
      staticLabels: Object.fromEntries(mapper.staticLabels),
    };
    return this.requests.ask(context, sender, heartbeatRequest, { name, partition, sender: facts, command });
  }

  /** A ping is stored, unless the pipeline says that there is no such heartbeat. */
  private async ping(context: RequestContext, sender: Sender, name: string): Promise<void> {
    if (await this.isMissing(context, sender, name)) throw missing(name);
    const event: MappedEvent = {
      title: `Heartbeat ${name}`,
      severity: null,
      status: 'resolved',
      source: null,
      description: null,
      fingerprint: heartbeatFingerprint(name),
      fingerprintSource: 'explicit',
      labels: {},
      annotations: {},
    };
    const json = JSON.stringify({ ...event, heartbeat: name });
    const events = [{ json, fingerprint: event.fingerprint, warnings: [], index: 0 }];
    await this.intake.storeEvents(context, sender, context.admittedAt!, events, [newUuid()], false);
    this.responder.respond(context, 202, answerOf(context, { result: 'PONG - Heartbeat received' }), 'accepted');
  }

  private async isMissing(context: RequestContext, sender: Sender, name: string): Promise<boolean> {
    const soon = { ...context, deadline: Math.min(context.deadline, performance.now() + askMs) };
    try {
      return (await this.ask(soon, sender, name, { kind: 'get' })).kind === 'missing';
    } catch (error) {
      if (error instanceof Fault && error.code === 'UNAVAILABLE') return false;
      throw error;
    }
  }
}

/** How long a ping waits until the pipeline says whether its heartbeat exists. */
const askMs = 500;

const missing = (name: string): Fault => new Fault('NOT_FOUND', null, `Heartbeat with name [${name}] does not exist.`);
