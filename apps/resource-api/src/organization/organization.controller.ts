import {
  getOrganization,
  updateOrganization,
  type Input,
  type NoQuery,
  type Organization,
  type PutOrganization,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { OrganizationService } from './organization.service.js';

@Controller()
export class OrganizationController {
  constructor(private readonly service: OrganizationService) {}

  @Handles(getOrganization)
  get(input: Input<NoQuery, undefined>): Promise<Organization> {
    return this.service.get(input);
  }

  @Handles(updateOrganization)
  update(input: Input<NoQuery, PutOrganization>): Promise<Organization> {
    return this.service.update(input);
  }
}
