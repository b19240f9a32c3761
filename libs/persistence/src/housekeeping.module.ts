import { Global, Module } from '@nestjs/common';
import { Housekeeping } from './housekeeping.js';
import { Retention } from './retention.js';

@Global()
@Module({ providers: [Housekeeping, Retention], exports: [Housekeeping, Retention] })
export class HousekeepingModule {}
