/**
 * The only service that sends to people and to other systems. It has no tables, and its HTTP port is only for health
 * and metrics.
 */
import { Module } from '@nestjs/common';
import { AccountMailsController } from './accounts/account-mails.controller.js';
import { AttemptLimiter } from './attempts/attempt-limiter.js';
import { AttemptsController } from './attempts/attempts.controller.js';
import { AttemptsInProgress } from './attempts/attempts-in-progress.js';
import { AttemptsService } from './attempts/attempts.service.js';
import { Transports } from './channels/transports.js';
import { Clock } from './clock.js';
import { DomainTextsController } from './domains/domain-texts.controller.js';
import { HttpClient } from './http/http-client.js';
import { Resolver } from './http/resolver.js';
import { PushEncryption } from './push/push-encryption.js';
import { SealedTargets } from './secrets/sealed-targets.js';
import { MailServer } from './mail/mail-server.js';

@Module({
  controllers: [AttemptsController, AccountMailsController, DomainTextsController],
  providers: [
    AttemptsService,
    AttemptsInProgress,
    AttemptLimiter,
    Transports,
    HttpClient,
    Resolver,
    MailServer,
    PushEncryption,
    SealedTargets,
    Clock,
  ],
})
export class NotifierModule {}
