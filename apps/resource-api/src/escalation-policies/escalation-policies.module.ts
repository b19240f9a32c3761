import { Module } from '@nestjs/common';
import { EscalationPoliciesController } from './escalation-policies.controller.js';
import { EscalationPoliciesService } from './escalation-policies.service.js';

@Module({ controllers: [EscalationPoliciesController], providers: [EscalationPoliciesService] })
export class EscalationPoliciesModule {}
