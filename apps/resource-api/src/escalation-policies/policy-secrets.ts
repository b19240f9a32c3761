/** The secrets in the levels of policies: signing secrets of webhooks, and addresses of chats. */
import type { FieldFault } from '@ams/contracts';
import { replacedInLevel, type PolicyLevel } from '@ams/domain';
import type { RecordSecrets } from '../secrets/secrets.js';
import {
  sealedParts,
  targetsWithSecrets,
  usedSecrets,
  type Replace,
  type UsedSecret,
} from '../workflows/workflow-secrets.js';

const withSecrets = (level: PolicyLevel, replace: Replace): PolicyLevel => ({
  ...level,
  targets: targetsWithSecrets(level.targets, '', replace),
});

/** The levels as they are shown. */
export const maskedLevels = (levels: readonly PolicyLevel[]): PolicyLevel[] =>
  levels.map((level) => withSecrets(level, (secret) => secret.mark));

/** Every secret of the levels with its use, to compare values. */
export const secretsOf = (levels: readonly PolicyLevel[]): UsedSecret[] => usedSecrets(levels, withSecrets);

/**
 * Levels that were sent, with the stored secret in place of each mark, all of them sealed. A mark without a stored secret
 * is a fault.
 */
export const sealedLevels = (
  sent: readonly PolicyLevel[],
  stored: readonly PolicyLevel[],
  secrets: RecordSecrets,
  record: string,
): Promise<{ parts: PolicyLevel[]; faults: FieldFault[] }> =>
  sealedParts({ list: 'levels', partWithSecrets: withSecrets, replacedIn: replacedInLevel }, sent, stored, (places) =>
    secrets.sealing(record, places),
  );
