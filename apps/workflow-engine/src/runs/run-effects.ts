/** The effects of the steps of a stored run: in our tables, and in the pipeline by commands over NATS. */
import { workflowCommandRequest, type WorkflowCommand, type WorkflowCommandReply } from '@ams/contracts';
import type { FinishedStep, Run, RunEffects, StepEffects, StepReads } from '@ams/alerting';
import type { RpcClient } from '@ams/messaging';
import type { RunsTogether } from './runs-together.js';

/** Longer than a statement of the pipeline may take. A command that is lost is sent again, and changes nothing then. */
const commandTimeoutMs = 5000;

export class StoredRunEffects implements RunEffects {
  constructor(
    private readonly together: RunsTogether,
    private readonly rpc: RpcClient,
    private readonly runId: string,
    /** Called for each step that was finished. */
    private readonly onFinished: (finished: FinishedStep, run: Run) => void,
  ) {}

  locked<T>(work: (run: Run, effects: StepEffects) => Promise<T>): Promise<T | undefined> {
    return this.together.locked(this.runId, this.onFinished, work);
  }

  async unlocked<T>(work: (run: Run, reads: StepReads) => Promise<T>): Promise<T | undefined> {
    const run = await this.together.run(this.runId);
    return run && work(run, this.together.reads());
  }

  /** Throws UNAVAILABLE when the pipeline does not reply. */
  changeAlerting(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    return this.rpc.request(workflowCommandRequest, command, {
      timeoutMs: commandTimeoutMs,
      requestId: this.runId,
    });
  }

  finishStep(run: Run, finished: FinishedStep): Promise<void> {
    this.onFinished(finished, run);
    return this.together.finishStep({ run, finished });
  }
}
