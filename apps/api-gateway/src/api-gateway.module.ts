import { Edge } from '@ams/service';
import { Module } from '@nestjs/common';
import { CallSigner } from './rpc/call-signer.js';
import { Owners } from './rpc/owners.js';
import { RawRpcClient } from './rpc/raw-rpc-client.js';
import { LiveEvents } from './stream/live-events.js';
import { Streams } from './stream/streams.js';
import { Admission } from './v1/admission.js';
import { Exports } from './v1/exports.js';
import { InFlight } from './v1/in-flight.js';
import { Operations } from './v1/operations.js';

/** The providers that the Fastify plugins of `gateway.ts` use. */
@Module({
  providers: [Edge, CallSigner, RawRpcClient, Owners, Operations, Admission, Exports, InFlight, LiveEvents, Streams],
})
export class ApiGatewayModule {}
