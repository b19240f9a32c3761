/**
 * A key that acts for a member: the records of the change show the member, and the key by which the member came
 * (`actorOf`). The key needs the scope `users:read`.
 */
import { Fault, invalid, uuidOf, type Input, type Principal } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { grants } from '@ams/scopes';

const required = 'users:read';

/**
 * The input with the principal who acts. `onBehalfOf`: the public id of a member; without it nothing changes. Throws
 * INSUFFICIENT_SCOPE, and VALIDATION_ERROR for a member who does not exist or is disabled.
 */
export async function actingFor<Request extends Pick<Input<unknown, unknown>, 'principal'>>(
  tx: Tx,
  input: Request,
  onBehalfOf: string | null | undefined,
): Promise<Request> {
  if (onBehalfOf === null || onBehalfOf === undefined) return input;
  const { principal } = input;
  if (principal.type !== 'api_key') throw invalid('onBehalfOf', 'key', 'onBehalfOf is for API keys');
  if (!grants(principal.scopes, required)) throw new Fault('INSUFFICIENT_SCOPE', { required });
  return { ...input, principal: { ...principal, onBehalfOf: await memberOf(tx, principal, onBehalfOf) } };
}

async function memberOf(tx: Tx, { organizationId }: Principal, id: string): Promise<{ id: string; name: string }> {
  const uuid = uuidOf('member', id);
  const [member] =
    uuid === null
      ? []
      : await tx.query<{ id: string; name: string; status: string }>(
          'SELECT id, name, status FROM auth_views.members WHERE organization_id = $1 AND id = $2',
          [organizationId, uuid],
        );
  if (!member) throw invalid('onBehalfOf', 'exists', `there is no member with the id ${id}`);
  if (member.status === 'disabled') throw invalid('onBehalfOf', 'enabled', `the member ${id} is disabled`);
  return { id: member.id, name: member.name };
}
