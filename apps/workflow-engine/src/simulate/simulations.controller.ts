import {
  simulate,
  testWorkflow,
  type Input,
  type Simulate,
  type Simulation,
  type TestWorkflow,
  type WorkflowTest,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { SimulationsService } from './simulations.service.js';
import { WorkflowTestsService } from './workflow-tests.service.js';

type NoQuery = Record<string, never>;

@Controller()
export class SimulationsController {
  constructor(
    private readonly simulations: SimulationsService,
    private readonly workflowTests: WorkflowTestsService,
  ) {}

  @Handles(simulate)
  simulate(input: Input<NoQuery, Simulate>): Promise<Simulation> {
    return this.simulations.simulate(input);
  }

  @Handles(testWorkflow)
  testWorkflow(input: Input<NoQuery, TestWorkflow>): Promise<WorkflowTest> {
    return this.workflowTests.test(input);
  }
}
