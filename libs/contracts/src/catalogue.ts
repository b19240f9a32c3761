/** Every operation of the v1 API, in the order of the documentation. */
import type { Operation, Owner } from './operation.js';
import { alertOperations } from './nouns/alerts.js';
import { apiKeyOperations } from './nouns/api-keys.js';
import { auditLogOperations } from './nouns/audit-log.js';
import { integrationOperations } from './nouns/integrations.js';

export const allOperations = [...alertOperations, ...integrationOperations, ...apiKeyOperations, ...auditLogOperations] as readonly Operation[];

export const operationsOf = (owner: Owner): Operation[] => allOperations.filter((op) => op.owner === owner);
