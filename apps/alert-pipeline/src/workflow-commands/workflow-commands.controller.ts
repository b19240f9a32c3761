import { workflowCommandRequest, type WorkflowCommand, type WorkflowCommandReply } from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { WorkflowCommandsService } from './workflow-commands.service.js';

@Controller()
export class WorkflowCommandsController {
  constructor(private readonly service: WorkflowCommandsService) {}

  @HandlesRequest(workflowCommandRequest)
  execute(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    return this.service.execute(command);
  }
}
