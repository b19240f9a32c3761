import { runBatch, type Batch, type BatchResult, type Input, type NoQuery } from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { BatchService } from './batch.service.js';

@Controller()
export class BatchController {
  constructor(private readonly service: BatchService) {}

  @Handles(runBatch)
  run(input: Input<NoQuery, Batch>): Promise<BatchResult> {
    return this.service.run(input);
  }
}
