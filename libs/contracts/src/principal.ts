import type { KeyRestriction } from '@ams/domain';
import type { Environment } from '@ams/scopes';

/** Who did something, as records show it (`acknowledgedBy`, timeline, audit log). Ids are public ids. */
export interface Actor {
  type: 'user' | 'api_key' | 'workflow' | 'integration' | 'service';
  id: string | null;
  name: string;
  /** The key with which a member acted. */
  via?: { type: 'api_key'; id: string; name: string };
}

/** Who makes a request. Ids are plain UUIDs. Services trust it because only the gateway may publish on `rpc.>`. */
export interface Principal {
  type: 'user' | 'api_key';
  id: string;
  name: string;
  organizationId: string;
  environment: Environment;
  scopes: string[];
  /** The session of a member who is signed in, a UUID. A member who acts by a link in a message has none. */
  sessionId?: string;
  /** Only of a narrowed key; UUIDs. */
  restrictedTo?: KeyRestriction | null;
  /** The member for whom the key makes a change. Set by the owner of an operation, never by the gateway. */
  onBehalfOf?: { id: string; name: string };
}

export interface Tenant {
  organizationId: string;
  environment: Environment;
}
