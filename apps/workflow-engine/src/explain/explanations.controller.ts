import { explainAlert, type Explanation, type Input } from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { ExplanationsService } from './explanations.service.js';

@Controller()
export class ExplanationsController {
  constructor(private readonly explanations: ExplanationsService) {}

  @Handles(explainAlert)
  explain({ principal, params }: Input<Record<string, never>, undefined>): Promise<Explanation> {
    return this.explanations.explain(principal, params['id'] ?? '');
  }
}
