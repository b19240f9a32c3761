import { domainTextsRequest, type DomainTexts, type DomainTextsReply } from '@ams/contracts';
import { HandlesRequest, Logger } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { Resolver } from '../http/resolver.js';

/** More would not be one proof of a domain, but a large message. */
const most = { records: 50, bytes: 4096 };

/** Reads TXT records for auth, which reaches no other system. */
@Controller()
export class DomainTextsController {
  constructor(
    private readonly resolver: Resolver,
    private readonly log: Logger,
  ) {}

  @HandlesRequest(domainTextsRequest)
  async read({ name }: DomainTexts): Promise<DomainTextsReply> {
    try {
      const found = await this.resolver.texts(name);
      const records = found.filter((parts) => Buffer.byteLength(parts.join('')) <= most.bytes).slice(0, most.records);
      return { kind: 'found', records };
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'ERROR';
      this.log.info({ name, reason }, 'the DNS did not answer');
      return { kind: 'unanswered', reason };
    }
  }
}
