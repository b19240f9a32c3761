import { Module } from '@nestjs/common';
import { OrganizationController } from './organization.controller.js';
import { OrganizationUsageService } from './organization-usage.service.js';
import { OrganizationService } from './organization.service.js';

@Module({ controllers: [OrganizationController], providers: [OrganizationService, OrganizationUsageService] })
export class OrganizationModule {}
