/**
 * The scope of the operation, checked again at its owner. The gateway has asked admission already; this refuses a call that
 * did not pass there.
 */
import { Fault, type Call } from '@ams/contracts';
import { grants } from '@ams/scopes';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { operationOf } from './operation-metadata.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { scope } = operationOf(context);
    const { principal } = context.switchToRpc().getData<Call>();
    if (!grants(principal.scopes, scope)) throw new Fault('INSUFFICIENT_SCOPE', { required: scope });
    return true;
  }
}
