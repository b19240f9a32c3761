import { Module } from '@nestjs/common';
import { AccountToolsModule } from '../accounts/account-tools.module.js';
import { GuardedAttempts } from '../sign-in/guarded-attempts.js';
import { Proofs } from './proofs.js';
import { SecondFactorsController } from './second-factors.controller.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SecretKeys } from './secret-keys.js';

@Module({
  imports: [AccountToolsModule],
  controllers: [SecondFactorsController],
  providers: [SecondFactorsService, SecretKeys, Proofs, GuardedAttempts],
  exports: [SecretKeys, Proofs, GuardedAttempts],
})
export class SecondFactorsModule {}
