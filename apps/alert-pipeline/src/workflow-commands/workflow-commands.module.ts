import { Module } from '@nestjs/common';
import { WorkflowCommandsController } from './workflow-commands.controller.js';
import { WorkflowCommandsService } from './workflow-commands.service.js';

@Module({ controllers: [WorkflowCommandsController], providers: [WorkflowCommandsService] })
export class WorkflowCommandsModule {}
