import {
  createClient,
  deleteClient,
  getClient,
  listClients,
  updateClient,
  type Client,
  type Input,
  type ListClientsQuery,
  type NoQuery,
  type Page,
  type PostClient,
  type PutClient,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { ClientsService } from './clients.service.js';

@Controller()
export class ClientsController {
  constructor(private readonly service: ClientsService) {}

  @Handles(listClients)
  list(input: Input<ListClientsQuery, undefined>): Promise<Page<Client>> {
    return this.service.list(input);
  }

  @Handles(createClient)
  create(input: Input<NoQuery, PostClient>): Promise<Client> {
    return this.service.create(input);
  }

  @Handles(getClient)
  get(input: Input<NoQuery, undefined>): Promise<Client> {
    return this.service.get(input);
  }

  @Handles(updateClient)
  update(input: Input<NoQuery, PutClient>): Promise<Client> {
    return this.service.update(input);
  }

  @Handles(deleteClient)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }
}
