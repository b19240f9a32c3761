import {
  listIntegrationDeliveries,
  listIntegrationRequests,
  type Input,
  type IntegrationRequest,
  type Page,
  type ListRequestsQuery,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { RequestsService } from './requests.service.js';

@Controller()
export class RequestsController {
  constructor(private readonly service: RequestsService) {}

  @Handles(listIntegrationRequests)
  list(input: Input<ListRequestsQuery, undefined>): Promise<Page<IntegrationRequest>> {
    return this.service.list(input);
  }

  @Handles(listIntegrationDeliveries)
  listDeprecated(input: Input<ListRequestsQuery, undefined>): Promise<Page<IntegrationRequest>> {
    return this.service.list(input);
  }
}
