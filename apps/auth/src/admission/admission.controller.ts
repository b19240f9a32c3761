import { admitRequest, type AdmitReply, type AdmitRequest } from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { AdmissionService } from './admission.service.js';

@Controller()
export class AdmissionController {
  constructor(private readonly admission: AdmissionService) {}

  @HandlesRequest(admitRequest)
  admit(request: AdmitRequest): Promise<AdmitReply> {
    return this.admission.admit(request);
  }
}
