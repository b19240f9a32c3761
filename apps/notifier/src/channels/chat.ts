/** A chat that accepts messages as JSON at an incoming webhook. */
import type { SendRequest } from '@ams/contracts';
import type { AttemptResult } from '../attempts/attempt-result.js';
import type { HttpResult } from '../http/http-client.js';
import { attemptResultOf, secretsOfUrl } from '../http/http-attempt-result.js';
import { summaryOf, type Summary } from '../messages/summary.js';
import type { Delivery } from './channel-sender.js';
import { commonHeaders, httpDelivery } from './http-delivery.js';
import type { Transports } from './transports.js';

/** `message` returns the body of the POST, as a value. `resultOf` reads the answer of a chat with rules of its own. */
export const chat =
  (
    message: (summary: Summary) => object,
    resultOf: (result: HttpResult, secrets: readonly string[], now: number) => AttemptResult = attemptResultOf,
  ) =>
  ({ notice, event }: SendRequest, { url }: { url: string }, { http, settings, clock }: Transports): Delivery =>
    httpDelivery(url, settings.concurrencyPerTarget, async () => {
      const result = await http.post({
        url,
        headers: { ...commonHeaders, 'content-type': 'application/json' },
        authorHeaders: {},
        body: JSON.stringify(message(summaryOf(notice, event))),
        timeoutMs: settings.chatTimeoutSeconds * 1000,
      });
      return resultOf(result, secretsOfUrl(url), clock.now());
    });
