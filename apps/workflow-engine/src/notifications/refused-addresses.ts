/** Reports addresses that a mail server refused for good to auth, which stops mail to them. */
import { mailRefusedRequest, type MailRefused } from '@ams/contracts';
import { Logger, RpcClient } from '@ams/messaging';
import { Injectable } from '@nestjs/common';

const replyMs = 5000;

@Injectable()
export class RefusedAddresses {
  constructor(
    private readonly rpc: RpcClient,
    private readonly log: Logger,
  ) {}

  /** When auth does not answer, the next mail to the address finds the same. */
  async report(refused: MailRefused): Promise<void> {
    const { requestId } = refused;
    try {
      await this.rpc.request(mailRefusedRequest, refused, { timeoutMs: replyMs, requestId });
    } catch (error) {
      this.log.warn({ err: error, notificationId: requestId }, 'auth was not told that an address was refused');
    }
  }
}
