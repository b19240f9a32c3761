/** The messages to the four chats, within the limits that each chat documents, for any input of a sender. */
import fc from 'fast-check';
import { alert, anyNotice, hostileText, incident, notice } from '../../testing/notices.js';
import { summaryOf } from '../messages/summary.js';
import { discordMessage } from './discord.js';
import { markdownLink, markdownText } from '../messages/markdown.js';
import { mattermostMessage } from './mattermost.js';
import { slackMessage, slackText } from './slack.js';
import { maxTeamsBytes, teamsMessage } from './teams.js';

const summary = (fields: Parameters<typeof notice>[0] = {}) => summaryOf(notice(fields));
const wholeTitle = '<!channel> @everyone *bold* [x](javascript:alert(1))';

interface Text {
  type: string;
  text: string;
  verbatim?: boolean;
  emoji?: boolean;
}
interface SlackBlock {
  type: string;
  text?: Text;
  fields?: Text[];
  elements?: Text[];
}
interface Slack {
  text: string;
  attachments: [{ color: string; blocks: SlackBlock[] }];
}
interface Mattermost {
  text?: string;
  attachments: [
    {
      fallback: string;
      color: string;
      text: string;
      fields: { title: string; value: string; short: boolean }[];
      footer: string;
    },
  ];
}
interface Embed {
  color: number;
  description?: string;
  fields: { name: string; value: string; inline: boolean }[];
  footer: { text: string };
}
interface Discord {
  content: string;
  embeds: [Embed];
  allowed_mentions: { parse: string[] };
}
interface Element {
  type: string;
  text?: string;
  style?: string;
  items?: Element[];
  inlines?: Element[];
}
interface Teams {
  type: string;
  attachments: [
    {
      contentType: string;
      content: {
        type: string;
        version: string;
        body: Element[];
        actions: { type: string; title: string; url: string }[];
      };
    },
  ];
}

const slack = (value: object) => value as Slack;
const mattermost = (value: object) => value as Mattermost;
const discord = (value: object) => value as Discord;
const teams = (value: object) => value as Teams;

const textsOf = (block: SlackBlock): Text[] => [
  ...(block.text ? [block.text] : []),
  ...(block.fields ?? []),
  ...(block.elements ?? []),
];
const runsOf = (elements: Element[]): string[] =>
  elements.flatMap((element) => [
    ...(element.type === 'TextRun' ? [element.text ?? ''] : []),
    ...runsOf(element.items ?? []),
    ...runsOf(element.inlines ?? []),
  ]);

describe('Slack', () => {
  test('the message has a line of text, and blocks with a colour', () => {
    const {
      text,
      attachments: [{ color, blocks }],
    } = slack(slackMessage(summary({ otherAlerts: ['Disk full'] })));
    expect([text, color]).toEqual(['[CRITICAL] High CPU — Acme', '#c92a2a']);
    const shown = blocks.flatMap(textsOf).map((one) => one.text);
    const parts = [
      'Severity\ncritical',
      'Call the data centre if it lasts.',
      'CPU > 95 % for 10 min',
      'Other open alerts:\nDisk full',
      'host: web-01\nregion: eu\nowner: team web',
      'You are on call for Web.',
    ];
    expect(shown).toEqual(expect.arrayContaining(parts));
    expect(shown).toContain('<https://runbooks.example.com/cpu?a=1&amp;b=2|runbook>');
    expect(shown.some((one) => one.includes('<https://alerts.example.com/a/1/ack?t=abc|Acknowledge>'))).toBe(true);
  });

  test('mentions nobody', () => {
    const {
      text,
      attachments: [{ blocks }],
    } = slack(slackMessage(summary({ alert: alert({ title: wholeTitle }) })));
    expect(text).not.toMatch(/<!|@(?:everyone|channel|here)/);
    for (const one of blocks.flatMap(textsOf)) expect(one.type === 'plain_text' || one.verbatim === true).toBe(true);
  });

  test('every message keeps to the limits of blocks', () => {
    fc.assert(
      fc.property(anyNotice, (any) => {
        const {
          text,
          attachments: [{ blocks }],
        } = slack(slackMessage(summaryOf(any)));
        expect(text).not.toMatch(/<|>|&(?!amp;|lt;|gt;)|@(?!\u200b)/);
        expect(text.length).toBeLessThanOrEqual(4000);
        expect(blocks.length).toBeLessThanOrEqual(50);
        for (const block of blocks) {
          expect(block.fields?.length ?? 0).toBeLessThanOrEqual(10);
          for (const one of textsOf(block)) {
            expect(one.text.length).toBeGreaterThan(0);
            expect(one.text.length).toBeLessThanOrEqual(one === block.text ? 3000 : 2000);
            if (one.type === 'mrkdwn')
              expect(one.text).toMatch(/^<https?:\/\/[^<>|\s]+\|[^<>]+>(?: {2}· {2}<https?:\/\/[^<>|\s]+\|[^<>]+>)*$/);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('escaped text is shown as the original text', () => {
    const shown = (text: string) =>
      text.replaceAll('\u200b', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    fc.assert(fc.property(hostileText, (text) => expect(shown(slackText(text))).toBe(text.replaceAll('\u200b', ''))));
  });
});

describe('Mattermost', () => {
  test('the message has an attachment with a colour, fields and links', () => {
    const {
      attachments: [{ fallback, color, text, fields, footer }],
    } = mattermost(mattermostMessage(summary()));
    expect([fallback, color, footer]).toEqual(['[CRITICAL] High CPU — Acme', '#c92a2a', 'You are on call for Web.']);
    expect(fields[0]).toEqual({ title: 'Severity', value: 'critical', short: true });
    const parts = [
      '**\\[CRITICAL\\] High CPU — Acme**',
      'host: web\\-01',
      '[runbook](https://runbooks.example.com/cpu?a=1&b=2)',
      '[Acknowledge](https://alerts.example.com/a/1/ack?t=abc) · [Resolve](',
    ];
    for (const part of parts) expect(text).toContain(part);
  });

  test('mentions nobody, and Markdown links of a sender are not links', () => {
    const {
      attachments: [{ text }],
    } = mattermost(mattermostMessage(summary({ alert: alert({ title: wholeTitle }) })));
    expect(text).not.toMatch(/@everyone|[^\\]\]\(javascript/);
  });

  test('every message keeps to the limit of a post', () => {
    fc.assert(
      fc.property(anyNotice, (any) => {
        const message = mattermost(mattermostMessage(summaryOf(any)));
        const [{ text, fields }] = message.attachments;
        expect(text.length).toBeLessThanOrEqual(16_383);
        for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(300);
        expect(text).not.toMatch(/@(?:everyone|here|channel|all)/);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Discord', () => {
  test('the message has a line of text and an embed with a colour, and forbids mentions', () => {
    const message = discord(discordMessage(summary({ incident: incident() })));
    expect(message.content).toBe('\\[\\#42 CRITICAL\\] Checkout is slow — Acme');
    expect(message.allowed_mentions).toEqual({ parse: [] });
    expect(message.embeds[0]).toMatchObject({ color: 0xc92a2a, footer: { text: 'You are on call for Web.' } });
    expect(message.embeds[0].fields).toContainEqual({ name: 'Severity', value: 'critical', inline: true });
    expect(message.embeds[0].fields.find(({ name }) => name === 'Links')?.value).toContain(
      '[Open](https://alerts.example.com/a/1)',
    );
  });

  test('every message keeps to the limits of embeds', () => {
    fc.assert(
      fc.property(anyNotice, (any) => {
        const {
          content,
          embeds: [{ description = '', fields, footer }],
        } = discord(discordMessage(summaryOf(any)));
        expect(content.length).toBeGreaterThan(0);
        expect(content.length).toBeLessThanOrEqual(2000);
        expect(description.length).toBeLessThanOrEqual(4096);
        expect(fields.length).toBeLessThanOrEqual(25);
        for (const { name, value } of fields) {
          expect(name.length).toBeLessThanOrEqual(256);
          expect(value.length).toBeGreaterThan(0);
          expect(value.length).toBeLessThanOrEqual(1024);
        }
        const all =
          description.length +
          footer.text.length +
          fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
        expect(all).toBeLessThanOrEqual(6000);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Teams', () => {
  test('the message is an Adaptive Card with the colour of the severity, facts and buttons', () => {
    const {
      type,
      attachments: [{ contentType, content }],
    } = teams(teamsMessage(summary()));
    expect([type, contentType, content.type, content.version]).toEqual([
      'message',
      'application/vnd.microsoft.card.adaptive',
      'AdaptiveCard',
      '1.4',
    ]);
    expect(content.body[0]?.style).toBe('attention');
    const runs = runsOf(content.body);
    for (const part of [
      '[CRITICAL] High CPU — Acme',
      'Severity: ',
      'critical',
      'CPU > 95 % for 10 min',
      'host: ',
      'web-01',
      'You are on call for Web.',
    ])
      expect(runs).toContain(part);
    expect(content.actions.map(({ title, url }) => [title, url])).toEqual([
      ['Acknowledge', 'https://alerts.example.com/a/1/ack?t=abc'],
      ['Resolve', 'https://alerts.example.com/a/1/resolve?t=abc'],
      ['Open', 'https://alerts.example.com/a/1'],
    ]);
  });

  test('texts of a sender are only in runs, where Markdown is not interpreted', () => {
    const {
      attachments: [{ content }],
    } = teams(teamsMessage(summary({ alert: alert({ title: wholeTitle, description: wholeTitle }) })));
    expect(runsOf(content.body)).toContain(wholeTitle);
    expect(JSON.stringify(content)).not.toContain('"TextBlock"');
    expect(JSON.stringify(content)).not.toContain('"entities"');
  });

  test('every message keeps to the maximum size of Teams', () => {
    const bytes = (value: object) => Buffer.byteLength(JSON.stringify(value));
    fc.assert(
      fc.property(anyNotice, (any) => expect(bytes(teamsMessage(summaryOf(any)))).toBeLessThanOrEqual(maxTeamsBytes)),
      { numRuns: 60 },
    );
    const labels = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`${n}${'"'.repeat(250)}`, '\\'.repeat(1024)]),
    );
    const links = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`link ${n}`, `https://example.com/${'x'.repeat(1000)}`]),
    );
    const largest = summary({
      alert: alert({ title: '😀'.repeat(512), description: '"\n'.repeat(16_000), labels, annotations: links }),
      message: '漢'.repeat(4000),
      otherAlerts: Array<string>(10).fill('字'.repeat(1024)),
    });
    expect(bytes(teamsMessage(largest))).toBeLessThanOrEqual(maxTeamsBytes);
  });
});

test('escaped Markdown is shown as the original text', () => {
  const shown = (text: string) => text.replace(/\\([^0-9A-Za-z\s])/g, '$1').replaceAll('\u200b', '');
  fc.assert(fc.property(hostileText, (text) => expect(shown(markdownText(text))).toBe(text.replaceAll('\u200b', ''))));
  expect(markdownLink({ label: 'a](x', href: 'https://example.com/(1)' })).toBe(
    '[a\\]\\(x](https://example.com/%281%29)',
  );
});
