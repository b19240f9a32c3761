/**
 * Binds a method of a controller to its contract: `@Handles(listClients)` for an operation of the API,
 * `@HandlesRequest(admitRequest)` for a service request. A method whose parameter or reply differs from the contract
 * does not compile.
 */
import {
  subjectOf,
  type Handler,
  type Operation,
  type PublicHandler,
  type PublicOperation,
  type ReplyKind,
  type ServiceRequest,
} from '@ams/contracts';
import { applyDecorators, SetMetadata, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { AnswerInterceptor } from './answer.interceptor.js';
import { FaultFilter } from './fault.filter.js';
import type { HandlerExtras } from './handler-extras.js';
import { operationMetadata } from './operation-metadata.js';
import { RequestFilter } from './request.filter.js';
import { ScopeGuard } from './scope.guard.js';
import { CallPipe } from './call.pipe.js';

type TypedMethodDecorator<Method> = <M extends Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

export function Handles<Q, B, R, K extends ReplyKind>(
  operation: Operation<Q, B, R, K>,
): TypedMethodDecorator<Handler<Q, B, R, K>> {
  if (operation.access === 'public') throw new Error(`${operation.id} is public: bind it with @HandlesPublic`);
  const decorate = handling(operation as Operation);
  return (target, key, descriptor) => decorate(target, key, descriptor as PropertyDescriptor);
}

/** As `Handles`, for an operation that needs no credential: its handler gets no principal. */
export function HandlesPublic<Q, B, R, K extends ReplyKind>(
  operation: PublicOperation<Q, B, R, K>,
): TypedMethodDecorator<PublicHandler<Q, B, R, K>> {
  const decorate = handling(operation as Operation);
  return (target, key, descriptor) => decorate(target, key, descriptor as PropertyDescriptor);
}

function handling(operation: Operation): MethodDecorator {
  const extras: HandlerExtras = { operation, signed: true };
  return applyDecorators(
    MessagePattern(subjectOf(operation), extras),
    SetMetadata(operationMetadata, operation),
    UseGuards(ScopeGuard),
    UsePipes(new CallPipe(operation)),
    UseInterceptors(AnswerInterceptor),
    UseFilters(FaultFilter),
  );
}

export function HandlesRequest<Request, Reply>(
  request: ServiceRequest<Request, Reply>,
  { everyReplica = false }: { everyReplica?: boolean } = {},
): TypedMethodDecorator<(request: Request) => Promise<Reply>> {
  const extras: HandlerExtras = { everyReplica, signed: 'owner' in request };
  const decorate = applyDecorators(MessagePattern(request.subject, extras), UseFilters(RequestFilter));
  return (target, key, descriptor) => decorate(target, key, descriptor as PropertyDescriptor);
}
