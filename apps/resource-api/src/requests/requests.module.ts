import { Module } from '@nestjs/common';
import { RequestLog } from './request-log.js';
import { RequestsController } from './requests.controller.js';
import { RequestsService } from './requests.service.js';

@Module({ controllers: [RequestsController], providers: [RequestLog, RequestsService] })
export class RequestsModule {}
