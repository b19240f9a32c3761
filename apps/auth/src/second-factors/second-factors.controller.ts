import {
  beginTotp,
  confirmTotp,
  disableTotp,
  getTwoFactor,
  renewRecoveryCodes,
  type Input,
  type NoQuery,
  type PostProof,
  type PostTotpCode,
  type RecoveryCodes,
  type TotpEnrolment,
  type TwoFactor,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { SecondFactorsService } from './second-factors.service.js';

@Controller()
export class SecondFactorsController {
  constructor(private readonly service: SecondFactorsService) {}

  @Handles(getTwoFactor)
  get(input: Input<NoQuery, undefined>): Promise<TwoFactor> {
    return this.service.get(input);
  }

  @Handles(beginTotp)
  begin(input: Input<NoQuery, PostProof>): Promise<TotpEnrolment> {
    return this.service.begin(input);
  }

  @Handles(confirmTotp)
  confirm(input: Input<NoQuery, PostTotpCode>): Promise<RecoveryCodes> {
    return this.service.confirm(input);
  }

  @Handles(disableTotp)
  disable(input: Input<NoQuery, PostProof>): Promise<TwoFactor> {
    return this.service.disable(input);
  }

  @Handles(renewRecoveryCodes)
  renewCodes(input: Input<NoQuery, PostProof>): Promise<RecoveryCodes> {
    return this.service.renewCodes(input);
  }
}
