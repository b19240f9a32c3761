import { Module } from '@nestjs/common';
import { EscalationWatch } from './escalation-watch.js';
import { IncidentsController } from './incidents.controller.js';
import { IncidentsService } from './incidents.service.js';

@Module({ controllers: [IncidentsController], providers: [IncidentsService, EscalationWatch] })
export class IncidentsModule {}
