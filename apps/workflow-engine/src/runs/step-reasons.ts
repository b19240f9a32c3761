const reasonTexts: Readonly<Record<string, string>> = {
  acknowledged: 'it was already acknowledged',
  resolved: 'it was already resolved',
  joined: 'the incident was already open, and people were already notified',
};

/** Why a step was skipped or failed, as summaries and plans show it. */
export const reasonText = (reason: string | null): string => reasonTexts[reason ?? ''] ?? reason ?? '';
