import { Module } from '@nestjs/common';
import { StatusWatch } from './status-watch.js';
import { StatusController } from './status.controller.js';
import { StatusService } from './status.service.js';

@Module({ controllers: [StatusController], providers: [StatusService, StatusWatch] })
export class StatusModule {}
