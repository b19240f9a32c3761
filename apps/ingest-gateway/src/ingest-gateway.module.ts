import { Edge } from '@ams/service';
import { Module } from '@nestjs/common';
import { Integrations } from './integrations/integrations.js';
import { ByteLimiter } from './limit/byte-limiter.js';
import { BytePace } from './limit/byte-pace.js';
import { EventGroups } from './limit/event-groups.js';
import { RateLimiter } from './limit/rate-limiter.js';
import { PublishingModule } from './publishing/publishing.module.js';
import { Admission } from './receivers/admission.js';
import { EventIntake } from './receivers/event-intake.js';
import { Handshakes } from './receivers/handshakes.js';
import { OpsgenieHeartbeats } from './receivers/opsgenie-heartbeats.js';
import { Opsgenie } from './receivers/opsgenie.js';
import { PagerDuty } from './receivers/pagerduty.js';
import { PayloadReader } from './receivers/payload-reader.js';
import { ReceiverRoutes } from './receivers/receiver-routes.js';
import { RequestBodies } from './receivers/request-bodies.js';
import { Responder } from './receivers/responder.js';
import { SenderRequests } from './receivers/sender-requests.js';
import { SnsFetch } from './receivers/sns.js';
import { Reception, ReceptionController } from './reception/reception.js';
import { Webhook } from './receivers/webhook.js';

@Module({
  imports: [PublishingModule],
  controllers: [ReceptionController],
  providers: [
    Edge,
    RequestBodies,
    Integrations,
    RateLimiter,
    ByteLimiter,
    BytePace,
    EventGroups,
    Admission,
    PayloadReader,
    EventIntake,
    Responder,
    ReceiverRoutes,
    Handshakes,
    SnsFetch,
    SenderRequests,
    Webhook,
    PagerDuty,
    Opsgenie,
    OpsgenieHeartbeats,
    Reception,
  ],
})
export class IngestGatewayModule {}
