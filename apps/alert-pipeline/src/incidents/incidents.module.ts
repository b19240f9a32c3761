import { Module } from '@nestjs/common';
import { EscalationNet } from './escalation-net.js';
import { EscalationWatch } from './escalation-watch.js';
import { IncidentsController } from './incidents.controller.js';
import { IncidentsService } from './incidents.service.js';

@Module({ controllers: [IncidentsController], providers: [IncidentsService, EscalationWatch, EscalationNet] })
export class IncidentsModule {}
