import { listWorkflowRuns, type Input, type ListRunsQuery, type Page, type WorkflowRun } from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { WorkflowRunsService } from './workflow-runs.service.js';

@Controller()
export class WorkflowRunsController {
  constructor(private readonly workflowRuns: WorkflowRunsService) {}

  @Handles(listWorkflowRuns)
  list(input: Input<ListRunsQuery, undefined>): Promise<Page<WorkflowRun>> {
    return this.workflowRuns.list(input);
  }
}
