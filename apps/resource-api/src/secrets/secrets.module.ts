import { Module } from '@nestjs/common';
import { SecretsController } from './secrets.controller.js';
import { Secrets } from './secrets.js';

@Module({ controllers: [SecretsController], providers: [Secrets], exports: [Secrets] })
export class SecretsModule {}
