import { sealAddressRequest, type Destination, type SealAddressRequest } from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { Secrets } from './secrets.js';

@Controller()
export class SecretsController {
  constructor(private readonly secrets: Secrets) {}

  @HandlesRequest(sealAddressRequest)
  seal(request: SealAddressRequest): Promise<{ destination: Destination }> {
    return this.secrets.sealAddress(request);
  }
}
