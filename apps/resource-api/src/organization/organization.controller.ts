import {
  getOrganization,
  getOrganizationUsage,
  updateOrganization,
  type Input,
  type NoQuery,
  type Organization,
  type OrganizationUsage,
  type PutOrganization,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { OrganizationUsageService } from './organization-usage.service.js';
import { OrganizationService } from './organization.service.js';

@Controller()
export class OrganizationController {
  constructor(
    private readonly service: OrganizationService,
    private readonly organizationUsage: OrganizationUsageService,
  ) {}

  @Handles(getOrganization)
  get(input: Input<NoQuery, undefined>): Promise<Organization> {
    return this.service.get(input);
  }

  @Handles(getOrganizationUsage)
  usage(input: Input<NoQuery, undefined>): Promise<OrganizationUsage> {
    return this.organizationUsage.get(input);
  }

  @Handles(updateOrganization)
  update(input: Input<NoQuery, PutOrganization>): Promise<Organization> {
    return this.service.update(input);
  }
}
