import type { Environment } from '@ams/scopes';

/** Who did something, as records show it (`acknowledgedBy`, timeline, audit log). Ids are public ids. */
export interface Actor {
  type: 'user' | 'api_key' | 'workflow' | 'integration' | 'service';
  id: string | null;
  name: string;
}

/** Who makes a request. Ids are plain UUIDs. Services trust it because only the gateway may publish on `rpc.>`. */
export interface Principal {
  type: 'user' | 'api_key';
  id: string;
  name: string;
  organizationId: string;
  environment: Environment;
  scopes: string[];
}

export interface Tenant {
  organizationId: string;
  environment: Environment;
}
