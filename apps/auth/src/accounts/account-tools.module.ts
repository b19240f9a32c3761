/** What signing in and the writes of members share. */
import { Module } from '@nestjs/common';
import { SessionEnds } from '../sessions/session-ends.js';
import { AccountMails } from './account-mails.js';
import { Passwords } from './passwords.js';
import { SignInAttempts } from './sign-in-attempts.js';

const shared = [AccountMails, Passwords, SessionEnds, SignInAttempts];

@Module({ providers: shared, exports: shared })
export class AccountToolsModule {}
