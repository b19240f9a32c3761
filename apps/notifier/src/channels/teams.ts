/**
 * Microsoft Teams, by a workflow ("When a Teams webhook request is received") or an incoming webhook: an Adaptive Card.
 * Texts of senders are in text runs, which are not read as Markdown. The card has no list of mentions, so it mentions
 * nobody.
 *
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using (28 KB a message)
 * https://adaptivecards.io/explorer/RichTextBlock.html
 */
import type { AttemptResult } from '../attempts/attempt-result.js';
import { attemptResultOf } from '../http/http-attempt-result.js';
import type { HttpResult } from '../http/http-client.js';
import { cut } from '../messages/clean-text.js';
import type { Summary } from '../messages/summary.js';
import { chat } from './chat.js';

/** A little less than the limit of Teams. */
export const maxTeamsBytes = 27_000;

/** In UTF-16 code units. */
const limits = { message: 3000, description: 4000, value: 400, entries: 40, lines: 60 };

const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
const block = (inlines: object[], more: object = {}) => ({ type: 'RichTextBlock', inlines, ...more });

/** A run has no line breaks: each line is a block of its own. */
function paragraph(text: string | null, max: number, more: object = {}): object[] {
  const lines = cut(text ?? '', max)
    .split('\n')
    .filter((line) => line !== '');
  const shown = lines.length > limits.lines ? [...lines.slice(0, limits.lines - 1), '…'] : lines;
  return shown.map((line) => block([run(line, more)]));
}

const styles: Record<string, string> = {
  CRITICAL: 'attention',
  HIGH: 'attention',
  MEDIUM: 'warning',
  LOW: 'accent',
  INFO: 'emphasis',
  ACKNOWLEDGED: 'accent',
  RESOLVED: 'good',
};

function card(summary: Summary, share: number): object {
  const { headline, badge, facts, message, description, otherAlerts, labels, annotations, actions, reason } = summary;
  const room = (limit: number): number => Math.max(1, Math.floor(limit * share));
  const others =
    otherAlerts.length === 0
      ? null
      : ['Other open alerts:', ...otherAlerts.map((other) => cut(other, room(limits.value)))].join('\n');
  const fact = (name: string, value: string, href: string | null = null) => {
    const shown = run(
      cut(value, room(limits.value)),
      href === null ? {} : { selectAction: { type: 'Action.OpenUrl', url: href } },
    );
    return block([run(`${cut(name, room(100))}: `, { weight: 'Bolder' }), shown], { spacing: 'None' });
  };
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      {
        type: 'Container',
        bleed: true,
        style: styles[badge ?? ''] ?? 'default',
        items: [block([run(headline, { weight: 'Bolder', size: 'Medium' })])],
      },
      ...facts.map(({ name, value }) => fact(name, value)),
      ...paragraph(message, room(limits.message), { weight: 'Bolder' }),
      ...paragraph(description, room(limits.description)),
      ...paragraph(others, room(limits.description)),
      ...[...labels.map((label) => ({ ...label, href: null })), ...annotations]
        .slice(0, room(limits.entries))
        .map(({ name, value, href }) => fact(name, value, href)),
      ...paragraph(reason, room(limits.value), { isSubtle: true, size: 'Small' }),
    ],
    actions: actions.map(({ label, href }) => ({ type: 'Action.OpenUrl', title: label, url: href })),
  };
}

const message = (content: object): object => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
});

/** The largest card that Teams accepts. */
export function teamsMessage(summary: Summary): object {
  const shares = [1, 0.5, 0.25, 0.1];
  const fits = (share: number): boolean =>
    Buffer.byteLength(JSON.stringify(message(card(summary, share)))) <= maxTeamsBytes;
  return message(card(summary, shares.find(fits) ?? 0.02));
}

/**
 * Incoming webhooks of Teams answer 200 even when Teams refused the message, with the status in the text. The limit of
 * four messages a second is reported in this way.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
export function teamsAttemptResultOf(result: HttpResult, secrets: readonly string[], now: number): AttemptResult {
  if (result.kind === 'response' && result.status === 200) {
    const status = /HTTP error (\d{3})/.exec(result.text)?.[1];
    if (status !== undefined) return attemptResultOf({ ...result, status: Number(status), text: '' }, secrets, now);
  }
  return attemptResultOf(result, secrets, now);
}

export const teams = chat(teamsMessage, teamsAttemptResultOf);
