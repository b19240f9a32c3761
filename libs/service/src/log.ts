/** JSON logs on standard output. Whatever looks like a credential is taken out of every line, wherever it stands. */
import { Logger } from '@ams/messaging';
import { pino } from 'pino';

// Each begins where little else does (a word boundary before \w+), so that a long line costs no more than its length.
const credentials = [
  [/svc_(live|test)_[0-9A-Za-z]{4,}/g, 'svc_$1_[hidden]'],
  [/(\/api\/inbound\/webhook\/)[^/?\s"']+/g, '$1[hidden]'],
  [/([Bb]earer )[^\s"',]+/g, '$1[hidden]'],
  [/(\b\w+:\/\/[^:/?#\s"]+):[^@/\s"]+@/g, '$1:[hidden]@'],
] as const;

export const withoutCredentials = (text: string): string =>
  credentials.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), text);

export function createLogger(
  service: string,
  level: string,
  destination: { write(line: string): unknown } = process.stdout,
): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'password',
          '*.password',
          'token',
          '*.token',
          'key',
          '*.key',
          'sealKey',
          '*.sealKey',
        ],
        censor: '[hidden]',
      },
    },
    { write: (line: string) => void destination.write(withoutCredentials(line)) },
  );
}
