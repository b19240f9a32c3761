import { Module } from '@nestjs/common';
import { DeletedClients } from './deleted-clients.js';

@Module({ providers: [DeletedClients] })
export class ClientsModule {}
