import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsService } from './workflows.service.js';

@Module({ imports: [SecretsModule], controllers: [WorkflowsController], providers: [WorkflowsService] })
export class WorkflowsModule {}
