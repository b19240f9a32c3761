import { Module } from '@nestjs/common';
import { SecondFactorsModule } from '../second-factors/second-factors.module.js';
import { DevicesController } from './devices.controller.js';
import { DevicesService } from './devices.service.js';

@Module({ imports: [SecondFactorsModule], controllers: [DevicesController], providers: [DevicesService] })
export class DevicesModule {}
