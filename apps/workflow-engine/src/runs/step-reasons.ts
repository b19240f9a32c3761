const words: Readonly<Record<string, string>> = {
  acknowledged: 'somebody had acknowledged',
  resolved: 'it was resolved by then',
  joined: 'the incident was open already and its people knew',
};

/** Why a step was skipped or failed, as summaries and plans show it. */
export const reasonInWords = (reason: string | null): string => words[reason ?? ''] ?? reason ?? '';
