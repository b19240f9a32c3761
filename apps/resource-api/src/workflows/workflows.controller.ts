import {
  createWorkflow,
  deleteWorkflow,
  disableWorkflow,
  enableWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
  type Input,
  type ListWorkflowsQuery,
  type NoQuery,
  type Page,
  type PostWorkflow,
  type PutWorkflow,
  type Workflow,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { WorkflowsService } from './workflows.service.js';

@Controller()
export class WorkflowsController {
  constructor(private readonly service: WorkflowsService) {}

  @Handles(listWorkflows)
  list(input: Input<ListWorkflowsQuery, undefined>): Promise<Page<Workflow>> {
    return this.service.list(input);
  }

  @Handles(createWorkflow)
  create(input: Input<NoQuery, PostWorkflow>): Promise<Workflow> {
    return this.service.create(input);
  }

  @Handles(getWorkflow)
  get(input: Input<NoQuery, undefined>): Promise<Workflow> {
    return this.service.get(input);
  }

  @Handles(updateWorkflow)
  update(input: Input<NoQuery, PutWorkflow>): Promise<Workflow> {
    return this.service.update(input);
  }

  @Handles(deleteWorkflow)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }

  @Handles(enableWorkflow)
  enable(input: Input<NoQuery, undefined>): Promise<Workflow> {
    return this.service.enable(input);
  }

  @Handles(disableWorkflow)
  disable(input: Input<NoQuery, undefined>): Promise<Workflow> {
    return this.service.disable(input);
  }
}
