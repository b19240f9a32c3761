/**
 * The limit of a payload in the outbox. It is half of the size that NATS must accept (see `requiredMaxPayload` of
 * libs/messaging). An event of an alert with the longest texts and with their previous values can be larger. Its texts
 * are then cut, because a message without the end of a text is better than no message.
 */
export const maxPayloadBytes = 4 * 1024 * 1024;

const keptCharacters = 1024;

/** The payload as JSON. When it is over the limit, every text in it is cut to 1,024 characters. */
export function boundedJson(payload: unknown): string {
  const text = JSON.stringify(payload);
  if (text.length * 3 <= maxPayloadBytes || Buffer.byteLength(text) <= maxPayloadBytes) return text;
  return JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === 'string' && value.length > keptCharacters
      ? `${value.slice(0, keptCharacters).toWellFormed()}…`
      : value,
  );
}
