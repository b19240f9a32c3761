import { BaseRpcContext } from '@nestjs/microservices';
import type { Msg } from '@nats-io/transport-node';

/** What guards, filters and handlers can read about the message. */
export class RpcContext extends BaseRpcContext<[Pick<Msg, 'subject'>]> {
  get subject(): string {
    return this.getArgByIndex(0).subject;
  }
}
