import {
  createEscalationPolicy,
  deleteEscalationPolicy,
  getCurrentRecipients,
  getEscalationPolicy,
  listEscalationPolicies,
  updateEscalationPolicy,
  type CurrentRecipients,
  type CurrentRecipientsQuery,
  type EscalationPolicy,
  type Input,
  type ListEscalationPoliciesQuery,
  type NoQuery,
  type Page,
  type PostEscalationPolicy,
  type PutEscalationPolicy,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { EscalationPoliciesService } from './escalation-policies.service.js';

@Controller()
export class EscalationPoliciesController {
  constructor(private readonly service: EscalationPoliciesService) {}

  @Handles(listEscalationPolicies)
  list(input: Input<ListEscalationPoliciesQuery, undefined>): Promise<Page<EscalationPolicy>> {
    return this.service.list(input);
  }

  @Handles(createEscalationPolicy)
  create(input: Input<NoQuery, PostEscalationPolicy>): Promise<EscalationPolicy> {
    return this.service.create(input);
  }

  @Handles(getEscalationPolicy)
  get(input: Input<NoQuery, undefined>): Promise<EscalationPolicy> {
    return this.service.get(input);
  }

  @Handles(updateEscalationPolicy)
  update(input: Input<NoQuery, PutEscalationPolicy>): Promise<EscalationPolicy> {
    return this.service.update(input);
  }

  @Handles(deleteEscalationPolicy)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }

  @Handles(getCurrentRecipients)
  current(input: Input<CurrentRecipientsQuery, undefined>): Promise<CurrentRecipients> {
    return this.service.current(input);
  }
}
