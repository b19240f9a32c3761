import {
  confirmMailRecipient,
  createMailRecipient,
  deleteMailRecipient,
  getMailRecipientLink,
  listMailRecipients,
  mailRefusedRequest,
  verifyMailRecipient,
  type Input,
  type ListMailRecipientsQuery,
  type MailRecipient,
  type MailRecipientLink,
  type MailRefused,
  type NoQuery,
  type Page,
  type PostMailRecipient,
  type PostToken,
  type PublicInput,
} from '@ams/contracts';
import { Handles, HandlesPublic, HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { MailRecipientsService } from './mail-recipients.service.js';

@Controller()
export class MailRecipientsController {
  constructor(private readonly recipients: MailRecipientsService) {}

  @Handles(listMailRecipients)
  list(input: Input<ListMailRecipientsQuery, undefined>): Promise<Page<MailRecipient>> {
    return this.recipients.list(input);
  }

  @Handles(createMailRecipient)
  create(input: Input<NoQuery, PostMailRecipient>): Promise<MailRecipient> {
    return this.recipients.create(input);
  }

  @Handles(verifyMailRecipient)
  verify(input: Input<NoQuery, undefined>): Promise<MailRecipient> {
    return this.recipients.verify(input);
  }

  @Handles(deleteMailRecipient)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.recipients.delete(input);
  }

  @HandlesPublic(getMailRecipientLink)
  link(input: PublicInput<NoQuery, PostToken>): Promise<MailRecipientLink> {
    return this.recipients.link(input);
  }

  @HandlesPublic(confirmMailRecipient)
  confirm(input: PublicInput<NoQuery, PostToken>): Promise<void> {
    return this.recipients.confirm(input);
  }

  @HandlesRequest(mailRefusedRequest)
  async refused(request: MailRefused): Promise<{ stopped: boolean }> {
    return { stopped: await this.recipients.refused(request) };
  }
}
