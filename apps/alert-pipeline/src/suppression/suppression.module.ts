import { Module } from '@nestjs/common';
import { WindowWatch } from './window-watch.js';

@Module({ providers: [WindowWatch] })
export class SuppressionModule {}
