import { Module } from '@nestjs/common';
import { AccountToolsModule } from '../accounts/account-tools.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

@Module({ imports: [AccountToolsModule], controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}
