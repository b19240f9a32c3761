/** JSON logs on standard output. Text that looks like a credential is removed from every line. */
import { Logger } from '@ams/messaging';
import { spanInLog } from '@ams/tracing';
import { pino } from 'pino';

// Each pattern begins with a rare match (a word boundary before \w+), so that its run time is linear in the length of
// the line.
const credentials = [
  [/svc_(live|test)_[0-9A-Za-z]{4,}/g, 'svc_$1_[hidden]'],
  [/(\/api\/inbound\/webhook\/)[^/?\s"']+/g, '$1[hidden]'],
  [/([Bb]earer )[^\s"',]+/g, '$1[hidden]'],
  [/(\b\w+:\/\/[^:/?#\s"]+):[^@/\s"]+@/g, '$1:[hidden]@'],
] as const;

export const withoutCredentials = (text: string): string =>
  credentials.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), text);

/** `traced`: a line has the trace that it belongs to, if that is recorded. */
export function createLogger(
  service: string,
  level: string,
  destination: { write(line: string): unknown } = process.stdout,
  { traced = false }: { traced?: boolean } = {},
): Logger {
  return pino(
    {
      level,
      base: { service },
      // A call for each line: only while traces are on.
      ...(traced && { mixin: spanInLog }),
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
