/** Reads the body of a request: size, compression, encoding, JSON or form. */
import { Fault, mediaOf, parsePayload } from '@ams/contracts';
import { mayBeEmpty } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { decompress, utf8Of } from '../http/body.js';
import { IngestSettings } from '../settings.js';
import { refuseDeepNesting } from './deep-nesting.js';
import { RequestBodies } from './request-bodies.js';
import type { RequestContext } from './request-context.js';
import { Responder } from './responder.js';

export interface Content {
  bytes: Buffer;
  payload: unknown;
}

@Injectable()
export class PayloadReader {
  constructor(
    private readonly settings: IngestSettings,
    private readonly responder: Responder,
    private readonly bodies: RequestBodies,
  ) {}

  /** `null` when the sender closed the connection before the end of the body. */
  async read(context: RequestContext): Promise<Content | null> {
    // PagerDuty's API has the token in the body, so there the sender is not known yet.
    const maxBodyBytes = context.sender?.maxBodyBytes ?? this.settings.maxBodyBytes;
    const { headers } = context.request;
    if (context.declaredLength !== null && context.declaredLength > maxBodyBytes) throw tooLarge(maxBodyBytes);
    const media = mediaOf(headers['content-type']);
    if (media === null) throw new Fault('UNSUPPORTED_MEDIA_TYPE', null);
    const body = await this.bodies.read(context, maxBodyBytes);
    if (body.kind === 'tooLarge') throw tooLarge(maxBodyBytes);
    if (body.kind === 'refused') throw body.fault;
    if (body.kind === 'aborted') {
      this.responder.count(context, 'aborted');
      return null;
    }
    const { bytes, text } = await this.decode(context, body.bytes, maxBodyBytes);
    const whenEmpty = mayBeEmpty(context.received) ? {} : undefined;
    return { bytes, payload: refuseDeepNesting(() => parsePayload(text, media, whenEmpty)) };
  }

  /** The body as text. The request log also gets a body that cannot be read, so that people can find the reason. */
  private async decode(
    context: RequestContext,
    sent: Buffer,
    maxBytes: number,
  ): Promise<{ bytes: Buffer; text: string }> {
    const encoding = context.request.headers['content-encoding'];
    let bytes = sent;
    try {
      if (encoding !== undefined) bytes = await decompress(sent, encoding, maxBytes);
      const utf8 = utf8Of(bytes);
      if (utf8 === null) throw new Fault('INVALID_JSON', null, 'The body is not UTF-8.');
      context.loggedPayload = utf8;
      return { bytes, text: utf8.toString() };
    } catch (error) {
      context.loggedPayload = bytes.toString('utf8');
      throw error;
    }
  }
}

const tooLarge = (limitBytes: number): Fault => new Fault('PAYLOAD_TOO_LARGE', { limitBytes });

/** Sets the payload of the request log, if that is not the body as it was sent. */
export function setLoggedPayload(context: RequestContext, payload: object): void {
  context.loggedPayload = refuseDeepNesting(() => JSON.stringify(payload));
}
