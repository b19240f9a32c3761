import { accountMailRequest, type AccountMail, type SendReply } from '@ams/contracts';
import { parseEmailAddress } from '@ams/domain';
import { HandlesRequest, Logger } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { AttemptLimiter } from '../attempts/attempt-limiter.js';
import { permanentFailure, temporaryFailure, type AttemptResult } from '../attempts/attempt-result.js';
import { mailHops, maskedAddress } from '../channels/email.js';
import { MailServer } from '../mail/mail-server.js';
import { NotifierSettings } from '../settings.js';
import { accountEmail } from './account-email.js';

/** One request is one attempt, with the limits of all other mails. The link is not logged. */
@Controller()
export class AccountMailsController {
  constructor(
    private readonly mail: MailServer,
    private readonly limiter: AttemptLimiter,
    private readonly settings: NotifierSettings,
    private readonly log: Logger,
  ) {}

  @HandlesRequest(accountMailRequest)
  async send(request: AccountMail): Promise<SendReply> {
    const { reply, result, code } = await this.attempt(request);
    const { id, purpose, to } = request;
    this.log.info({ mailId: id, purpose, target: maskedAddress(to.address), result, code }, 'mail about an account');
    return reply;
  }

  private async attempt(request: AccountMail): Promise<AttemptResult> {
    const { from } = this.mail;
    // The operator may add a mail server at any time.
    if (from === null) return temporaryFailure('unset', 'This installation has no mail server.', 'unknown');
    const address = parseEmailAddress(request.to.address);
    if (address === null) {
      return permanentFailure('address', 'This is not an address that mail can be sent to.', 'unknown');
    }
    return this.limiter.run(mailHops(this.settings, address.domain), () => this.mail.send(accountEmail(request, from)));
  }
}
