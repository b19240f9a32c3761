import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { CreationLimit } from './creation-limit.js';

@Module({ controllers: [ApiKeysController], providers: [ApiKeysService, CreationLimit] })
export class ApiKeysModule {}
