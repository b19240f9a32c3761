import { sendRequest, type SendingReply, type SendReply, type SendRequest } from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { AttemptsService } from './attempts.service.js';

@Controller()
export class AttemptsController {
  constructor(private readonly attempts: AttemptsService) {}

  @HandlesRequest(sendRequest)
  send(request: SendRequest): Promise<SendReply | SendingReply> {
    return this.attempts.send(request);
  }
}
