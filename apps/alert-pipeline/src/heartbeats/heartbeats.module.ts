import { Module } from '@nestjs/common';
import { HeartbeatsController } from './heartbeats.controller.js';
import { HeartbeatsService } from './heartbeats.service.js';
import { ReceptionWatch } from './reception-watch.js';

@Module({ controllers: [HeartbeatsController], providers: [HeartbeatsService, ReceptionWatch] })
export class HeartbeatsModule {}
