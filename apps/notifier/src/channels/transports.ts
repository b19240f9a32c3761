import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { HttpClient } from '../http/http-client.js';
import { PushEncryption } from '../push/push-encryption.js';
import { MailServer } from '../mail/mail-server.js';
import { NotifierSettings } from '../settings.js';

/** The clients with which the channels send. */
@Injectable()
export class Transports {
  constructor(
    readonly settings: NotifierSettings,
    readonly http: HttpClient,
    readonly mail: MailServer,
    readonly encryption: PushEncryption,
    readonly clock: Clock,
  ) {}
}
