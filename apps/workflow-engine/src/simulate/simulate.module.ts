import { Module } from '@nestjs/common';
import { SimulationsController } from './simulations.controller.js';
import { SimulationsService } from './simulations.service.js';
import { WorkflowTestsService } from './workflow-tests.service.js';

@Module({ controllers: [SimulationsController], providers: [SimulationsService, WorkflowTestsService] })
export class SimulateModule {}
