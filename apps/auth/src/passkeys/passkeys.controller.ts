import {
  beginPasskey,
  createPasskey,
  deletePasskey,
  listPasskeys,
  updatePasskey,
  type Input,
  type ListPasskeysQuery,
  type NewPasskey,
  type NoQuery,
  type Page,
  type Passkey,
  type PasskeyOptions,
  type PostPasskey,
  type PostProof,
  type PutPasskey,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { PasskeysService } from './passkeys.service.js';

@Controller()
export class PasskeysController {
  constructor(private readonly service: PasskeysService) {}

  @Handles(listPasskeys)
  list(input: Input<ListPasskeysQuery, undefined>): Promise<Page<Passkey>> {
    return this.service.list(input);
  }

  @Handles(beginPasskey)
  begin(input: Input<NoQuery, PostProof>): Promise<PasskeyOptions> {
    return this.service.begin(input);
  }

  @Handles(createPasskey)
  create(input: Input<NoQuery, PostPasskey>): Promise<NewPasskey> {
    return this.service.create(input);
  }

  @Handles(updatePasskey)
  update(input: Input<NoQuery, PutPasskey>): Promise<Passkey> {
    return this.service.update(input);
  }

  @Handles(deletePasskey)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }
}
