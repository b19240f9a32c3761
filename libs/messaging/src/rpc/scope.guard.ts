/**
 * Checks the scope of the operation again at its owner. The gateway has already checked it in the admission; this
 * refuses a call that did not come from there. The scopes that an operation needs besides are checked here only.
 * Narrowed keys are refused here only, too: see narrowed-keys.ts of libs/contracts.
 */
import { Fault, refusalToNarrowed, refusalToKeys, type Call, type PublicCall } from '@ams/contracts';
import { grants } from '@ams/scopes';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { operationOf } from './operation-metadata.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context);
    const { access, scope, needs = [] } = operation;
    if (access === 'public') return true;
    const { principal } = context.switchToRpc().getData<Call | PublicCall>();
    if (principal === null) throw new Fault('UNAUTHORIZED', null);
    if (access === 'member' && principal.sessionId === undefined) throw refusalToKeys(operation);
    const missing = [...(scope === null ? [] : [scope]), ...needs].find((name) => !grants(principal.scopes, name));
    if (missing !== undefined) throw new Fault('INSUFFICIENT_SCOPE', { required: missing });
    const refused = refusalToNarrowed(principal, operation);
    if (refused) throw refused;
    return true;
  }
}
