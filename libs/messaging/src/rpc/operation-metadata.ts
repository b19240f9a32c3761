import type { Operation } from '@ams/contracts';
import type { ExecutionContext } from '@nestjs/common';
import 'reflect-metadata';

/** The key under which `@Handles` keeps the operation of a method. */
export const operationMetadata = 'ams:operation';

/** The operation of the handler that is being called. */
export const operationOf = (context: ExecutionContext): Operation =>
  Reflect.getMetadata(operationMetadata, context.getHandler()) as Operation;
