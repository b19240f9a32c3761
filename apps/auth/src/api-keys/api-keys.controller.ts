import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
  type ApiKeyWithSecret,
  type Input,
  type ListApiKeysQuery,
  type Page,
  type PostApiKey,
  type RevokeApiKeyQuery,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Handles(listApiKeys)
  list(input: Input<ListApiKeysQuery, undefined>): Promise<Page<ApiKey>> {
    return this.apiKeys.list(input);
  }

  @Handles(createApiKey)
  create(input: Input<Record<string, never>, PostApiKey>): Promise<ApiKeyWithSecret> {
    return this.apiKeys.create(input);
  }

  @Handles(revokeApiKey)
  revoke(input: Input<RevokeApiKeyQuery, undefined>): Promise<void> {
    return this.apiKeys.revoke(input);
  }
}
