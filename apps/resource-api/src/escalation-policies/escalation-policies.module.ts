import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { EscalationPoliciesController } from './escalation-policies.controller.js';
import { EscalationPoliciesService } from './escalation-policies.service.js';

@Module({
  imports: [SecretsModule],
  controllers: [EscalationPoliciesController],
  providers: [EscalationPoliciesService],
})
export class EscalationPoliciesModule {}
