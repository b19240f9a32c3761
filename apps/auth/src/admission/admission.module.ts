import { Module } from '@nestjs/common';
import { AdmissionController } from './admission.controller.js';
import { AdmissionService } from './admission.service.js';
import { RefusedRequests } from './refused-requests.js';

@Module({ controllers: [AdmissionController], providers: [AdmissionService, RefusedRequests] })
export class AdmissionModule {}
