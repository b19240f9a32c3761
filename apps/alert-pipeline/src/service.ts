import { Tokens, type Metrics, type ServiceDefinition } from '@ams/service';
import { AnnouncementPart } from './announcement.js';
import { Commands } from './commands.js';
import { DeletedClients } from './deleted-clients.js';
import { Incidents } from './incidents.js';
import { Maintenance } from './maintenance.js';
import { Partitions } from './partitions.js';
import { DatabasePart, PipelineTokens } from './parts.js';
import { pipelineMetrics } from './pipeline-metrics.js';
import { Relay } from './relay.js';
import { PipelineSettings } from './settings.js';
import { WindowWatch } from './window-watch.js';
import { WorkflowCommands } from './workflow-commands.js';

export const alertPipeline: ServiceDefinition<PipelineSettings> = {
  name: 'alert-pipeline',
  settings: PipelineSettings,
  providers: [
    {
      provide: PipelineTokens.metrics,
      useFactory: (metrics: Metrics) => pipelineMetrics(metrics),
      inject: [Tokens.metrics],
    },
    DatabasePart,
    Relay,
    Partitions,
    Commands,
    Incidents,
    WorkflowCommands,
    WindowWatch,
    DeletedClients,
    AnnouncementPart,
    Maintenance,
  ],
  parts: [
    DatabasePart,
    Relay,
    Partitions,
    Commands,
    Incidents,
    WorkflowCommands,
    WindowWatch,
    DeletedClients,
    AnnouncementPart,
    Maintenance,
  ],
};
