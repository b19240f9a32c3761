/** The secrets in the levels of policies: signing secrets of webhooks, and addresses of chats. */
import type { FieldFault } from '@ams/contracts';
import type { PolicyLevel } from '@ams/domain';
import {
  targetsWithSecrets,
  unmasked,
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

/** Levels that were sent, with the stored secret in place of each mark. A mark without a stored secret is a fault. */
export function unmaskedLevels(
  sent: readonly PolicyLevel[],
  stored: readonly PolicyLevel[],
): { levels: PolicyLevel[]; faults: FieldFault[] } {
  const { parts: levels, faults } = unmasked('levels', sent, stored, withSecrets);
  return { levels, faults };
}
