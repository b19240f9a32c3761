import { Module } from '@nestjs/common';
import { OrganizationDefaults } from './organization-defaults.js';

@Module({ providers: [OrganizationDefaults] })
export class OrganizationDefaultsModule {}
