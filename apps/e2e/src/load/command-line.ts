/** The command `npm run load`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSystem } from '../system.js';
import { root } from '../system/replica.js';
import { htmlOf } from './html.js';
import { runLoad, type LoadOptions, type LoadReport } from './run-load.js';
import { profileNames, type ProfileName } from './schedule.js';

export const help = `npm run load -- --profile NAME [options]: sends events at planned rates, and checks that nothing is lost.

  --profile NAME       storm: five times the rate in the middle third; day: a day in the time of the run;
                       soak: the same rate all the time
  --seconds N          how long (storm 180, day 600, soak 3600)
  --rate N             events a second at the usual rate (10)
  --reads N            reads of alerts a second (1)
  --url URL            the API gateway of an installation; without it, one is started here
  --ingest-url URL     the ingest gateway, when it is not the one in the ingest URLs of integrations
  --key-file FILE      a file with an API key; without it, the key is in LOAD_API_KEY
  --integrations N     integrations that send (one for each event a second at the highest rate)
  --patience N         seconds until everything accepted must be applied (120)
  --out DIR            where the report is written (load-results)

Ctrl-C ends the sending; what was sent is checked and reported, too. A second one ends the program.

The key needs the scopes integrations:write, alerts:read and alerts:write. See docs/load.md.`;

const defaultSeconds: Record<ProfileName, number> = { storm: 180, day: 600, soak: 3600 };

export interface Command extends Omit<LoadOptions, 'log' | 'url' | 'key' | 'stopped'> {
  /** Null: an installation is started here, and makes a key of its own. */
  installation: { url: string; key: string } | null;
  out: string;
}

/** A setting is wrong: the message says which. It never has the key. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Null for `--help`. Throws UsageError. */
export function readCommand(args: readonly string[], environment: Record<string, string | undefined>): Command | null {
  const { values } = parsed(args);
  if (values.help) return null;
  const profile = profileNames.find((name) => name === values.profile);
  if (!profile) throw new UsageError(`--profile must be one of ${profileNames.join(', ')}`);
  const number = (name: keyof typeof values, fallback: number, least: number, most: number): number => {
    const value = values[name] === undefined ? fallback : Number(values[name]);
    if (!Number.isFinite(value) || value < least || value > most)
      throw new UsageError(`--${name} must be a number from ${least} to ${most}`);
    return value;
  };
  const whole = (...of: Parameters<typeof number>): number => {
    const value = number(...of);
    if (!Number.isInteger(value)) throw new UsageError(`--${of[0]} must be a whole number`);
    return value;
  };
  const url = values.url === undefined ? null : urlOf('url', values.url);
  return {
    profile,
    seconds: whole('seconds', defaultSeconds[profile], 1, 7 * 86_400),
    rate: number('rate', 10, 0.1, 100_000),
    readsPerSecond: number('reads', 1, 0, 10_000),
    patienceSeconds: whole('patience', 120, 1, 86_400),
    integrations: values.integrations === undefined ? null : whole('integrations', 1, 1, 1000),
    ingestUrl: values['ingest-url'] === undefined ? null : urlOf('ingest-url', values['ingest-url']),
    installation: url === null ? null : { url, key: keyOf(values['key-file'], environment) },
    out: values.out ?? join(root, 'load-results'),
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        profile: text,
        seconds: text,
        rate: text,
        reads: text,
        url: text,
        'ingest-url': text,
        'key-file': text,
        integrations: text,
        patience: text,
        out: text,
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Its message has the argument, which may be a key.
    const isUnnamed = code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    throw new UsageError(isUnnamed ? 'an argument belongs to no option; --help shows the options' : message);
  }
}

function urlOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--${name} must be an http or https URL`);
  if (url.username !== '' || url.password !== '') throw new UsageError(`--${name} must not have a password`);
  return url.href;
}

/** The key is not an argument, because other users of the machine see arguments. */
function keyOf(file: string | undefined, environment: Record<string, string | undefined>): string {
  let key: string | undefined;
  try {
    key = file === undefined ? environment['LOAD_API_KEY'] : readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--key-file cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
  const trimmed = key?.trim() ?? '';
  if (!/^[\x21-\x7e]{1,255}$/.test(trimmed))
    throw new UsageError('give an API key in LOAD_API_KEY, or in the file of --key-file');
  return trimmed;
}

/** Returns the exit code: 1 when accepted events are lost or count twice, 2 for wrong arguments. */
export async function main(args: readonly string[]): Promise<number> {
  let command: Command | null;
  try {
    command = readCommand(args, process.env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
  if (!command) {
    console.log(help);
    return 0;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const report = await (command.installation
    ? loadOf(command, command.installation, stop.signal)
    : loadHere(command, stop.signal));
  const file = write(command.out, report);
  console.log(`${summaryOf(report)}\n${file}.json\n${file}.html`);
  return report.problems.length === 0 ? 0 : 1;
}

const loadOf = (
  { profile, seconds, rate, readsPerSecond, patienceSeconds, integrations, ingestUrl }: Command,
  { url, key }: { url: string; key: string },
  stopped: AbortSignal,
): Promise<LoadReport> =>
  runLoad({
    ...{ profile, seconds, rate, readsPerSecond, patienceSeconds, integrations, ingestUrl, url, key, stopped },
    log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });

/** An installation with limits that are too high to be reached. */
async function loadHere(command: Command, stopped: AbortSignal): Promise<LoadReport> {
  console.log('starting an installation');
  const system = await startSystem({ durable: true });
  try {
    const [url = ''] = system.address.gateways;
    const [ingestUrl = null] = system.address.ingestGateways;
    const { key } = await system.organization();
    return await loadOf({ ...command, ingestUrl: command.ingestUrl ?? ingestUrl }, { url, key }, stopped);
  } finally {
    await system.stop();
  }
}

function write(folder: string, report: LoadReport): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${report.beganAt.replace(/[:.]/g, '-')}-${report.profile}`);
  writeFileSync(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${file}.html`, htmlOf(report));
  return file;
}

function summaryOf({ events, check, problems }: LoadReport): string {
  const time = (value: number | null): string => (value === null ? 'none' : `${Math.round(value)} ms`);
  return [
    `events: ${events.planned} planned, ${events.answered} accepted ${JSON.stringify(events.outcomes)}`,
    `from the planned time to the answer: p50 ${time(events.p50Ms)}, p99 ${time(events.p99Ms)}`,
    `applied ${check.applied}, lost ${check.lost}, twice ${check.doubled}`,
    ...problems,
  ].join('\n');
}
