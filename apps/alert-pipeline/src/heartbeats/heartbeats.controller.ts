import {
  heartbeatRequest,
  heartbeatsRequest,
  type Heartbeat,
  type HeartbeatReply,
  type HeartbeatRequest,
  type SenderRequest,
} from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { HeartbeatsService } from './heartbeats.service.js';

@Controller()
export class HeartbeatsController {
  constructor(private readonly service: HeartbeatsService) {}

  @HandlesRequest(heartbeatRequest)
  execute(request: HeartbeatRequest): Promise<HeartbeatReply> {
    return this.service.execute(request);
  }

  @HandlesRequest(heartbeatsRequest)
  list(request: SenderRequest): Promise<{ heartbeats: Heartbeat[] }> {
    return this.service.list(request);
  }
}
