/**
 * Reads bodies of requests within a time limit and within the memory for all of them. PagerDuty's API has the token in
 * the body, so there the sender is not known yet: fewer of these bodies are read for each network, in a shorter time,
 * with memory of their own.
 */
import { Bodies, Edge, waitsForContinue } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { arrivedBody, readBody, type Body } from '../http/body.js';
import { IngestSettings } from '../settings.js';
import type { RequestContext } from './request-context.js';

const MiB = 1024 * 1024;

@Injectable()
export class RequestBodies {
  private readonly ofStrangers: Bodies;

  constructor(
    private readonly settings: IngestSettings,
    private readonly edge: Edge,
  ) {
    const { bodyMemoryMiB, strangersBodies: perSender } = settings;
    this.ofStrangers = edge.moreBodies({ bytes: (bodyMemoryMiB / 4) * MiB, perSender });
  }

  /** Begins to read, unless it has begun. Never rejects. */
  read(context: RequestContext, limit: number): Body | Promise<Body> {
    context.body ??= arrivedBody(context.request, limit) ?? this.arrivingBody(context, limit);
    return context.body;
  }

  private arrivingBody(context: RequestContext, limit: number): Promise<Body> {
    const { request, response, requestId, sender, network } = context;
    const { bodyTimeoutSeconds, strangersBodySeconds } = this.settings;
    const [bodies, name, seconds] =
      sender === null
        ? [this.ofStrangers, network, Math.min(strangersBodySeconds, bodyTimeoutSeconds)]
        : [this.edge.bodies, sender.organizationId, bodyTimeoutSeconds];
    if (waitsForContinue(request)) response.writeContinue();
    return readBody(request, limit, (cut) => bodies.begin(name, requestId, cut, seconds * 1000));
  }
}
