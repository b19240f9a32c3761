import {
  createIntegration,
  deleteIntegration,
  getIntegration,
  listIntegrations,
  previewIntegration,
  replayIntegration,
  rotateIntegrationToken,
  updateIntegration,
  type Input,
  type Integration,
  type IntegrationWithToken,
  type ListIntegrationsQuery,
  type NoQuery,
  type Page,
  type PostIntegration,
  type Preview,
  type PreviewPayload,
  type PutIntegration,
  type Replay,
  type ReplayPayloads,
  type RotateToken,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { IntegrationsService } from './integrations.service.js';
import { ReplayService } from './replay.service.js';

@Controller()
export class IntegrationsController {
  constructor(
    private readonly service: IntegrationsService,
    private readonly replays: ReplayService,
  ) {}

  @Handles(listIntegrations)
  list(input: Input<ListIntegrationsQuery, undefined>): Promise<Page<Integration>> {
    return this.service.list(input);
  }

  @Handles(createIntegration)
  create(input: Input<NoQuery, PostIntegration>): Promise<IntegrationWithToken> {
    return this.service.create(input);
  }

  @Handles(getIntegration)
  get(input: Input<NoQuery, undefined>): Promise<Integration> {
    return this.service.get(input);
  }

  @Handles(updateIntegration)
  update(input: Input<NoQuery, PutIntegration>): Promise<Integration> {
    return this.service.update(input);
  }

  @Handles(deleteIntegration)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }

  @Handles(rotateIntegrationToken)
  rotateToken(input: Input<NoQuery, RotateToken>): Promise<IntegrationWithToken> {
    return this.service.rotateToken(input);
  }

  @Handles(previewIntegration)
  preview(input: Input<NoQuery, PreviewPayload>): Promise<Preview> {
    return this.service.preview(input);
  }

  @Handles(replayIntegration)
  replay(input: Input<NoQuery, ReplayPayloads>): Promise<Replay> {
    return this.replays.replay(input);
  }
}
