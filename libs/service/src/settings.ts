/**
 * Configuration from the environment, or from files that it names: one class for each app, one description for each
 * variable, all validated at start. Only this file reads the environment. docs/configuration.md is generated from the
 * descriptions.
 */
import 'reflect-metadata';
import type { TlsFiles } from '@ams/contracts';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { IsCertificateFile, IsKeyFileOf } from './certificate-files.js';
import { IsCollectorUrl, IsPairs, pairsIn } from './trace-settings.js';

export interface SettingFacts {
  property: string;
  variable: string;
  sentence: string;
  secret: boolean;
  /** The old name of the variable; it is read when the new one is not set. */
  formerly?: string | undefined;
}

const registry = new WeakMap<object, SettingFacts[]>();

/** Binds a property to an environment variable. Its type (number, boolean, string) is that of the property. */
export function Setting(
  variable: string,
  sentence: string,
  options: { secret?: boolean; formerly?: string } = {},
): PropertyDecorator {
  return (target, property) => {
    const own = registry.get(target) ?? [];
    own.push({
      property: String(property),
      variable,
      sentence,
      secret: options.secret ?? false,
      formerly: options.formerly,
    });
    registry.set(target, own);
  };
}

/** Every setting of a class, inherited ones first. */
export function settingsOf(settings: new () => object): SettingFacts[] {
  const chain: SettingFacts[][] = [];
  for (
    let proto: object = settings.prototype as object;
    proto && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto) as object
  ) {
    chain.unshift(registry.get(proto) ?? []);
  }
  return chain.flat();
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const parsers: Record<string, (text: string) => unknown> = {
  Number: (text) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
  Boolean: (text) =>
    ({ true: true, '1': true, yes: true, false: false, '0': false, no: false })[text.trim().toLowerCase()] ?? text,
};

const fileSuffix = '_FILE';
const maxFileBytes = 64 * 1024;

/**
 * The text of a variable. When `<variable>_FILE` is set, it is the content of this file, without the line break at its
 * end: secrets are mounted as files. An empty variable counts as not set, an empty file does not.
 */
function textOf(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const file = environment[variable + fileSuffix];
  if (!file) return environment[variable] || undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new SettingsError(
      `${variable}${fileSuffix}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
  if (text === '' || text.length > maxFileBytes)
    throw new SettingsError(`${variable}${fileSuffix}: ${file} is ${text === '' ? 'empty' : 'too large'}`);
  return text;
}

/**
 * Reads and validates the settings; an empty variable counts as not set. Each variable may also be the content of a file
 * (`NATS_PASSWORD_FILE` for `NATS_PASSWORD`). Throws a SettingsError with all errors.
 */
export function readSettings<T extends object>(settings: new () => T, environment: NodeJS.ProcessEnv = process.env): T {
  const values: Record<string, unknown> = {};
  const unreadable: string[] = [];
  const read = (variable: string): string | undefined => {
    try {
      return textOf(variable, environment);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      unreadable.push(error.message);
      return undefined;
    }
  };
  for (const { property, variable, formerly } of settingsOf(settings)) {
    const text = read(variable) ?? (formerly && read(formerly));
    if (!text) continue;
    const type = Reflect.getMetadata('design:type', settings.prototype as object, property) as
      { name: string } | undefined;
    values[property] = parsers[type?.name ?? '']?.(text) ?? text;
  }
  const instance = plainToInstance(settings, values, { exposeDefaultValues: true });
  const faults = validateSync(instance, {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  if (faults.length > 0 || unreadable.length > 0) {
    const variables = new Map(settingsOf(settings).map((s) => [s.property, s.variable]));
    const invalid = faults
      .map((f) => ({ variable: variables.get(f.property) ?? f.property, rules: Object.values(f.constraints ?? {}) }))
      .filter(({ variable }) => !unreadable.some((line) => line.startsWith(`${variable}${fileSuffix}:`)))
      .map(({ variable, rules }) => `${variable}: ${rules.join(', ')}`);
    throw new SettingsError(`Invalid configuration. ${[...unreadable, ...invalid].join('; ')}`);
  }
  return instance;
}

/** The settings for TLS of the same name in several classes. */
interface NatsTlsSettings {
  natsTlsCaFile?: string;
  natsTlsCertFile?: string;
  natsTlsKeyFile?: string;
}
interface DatabaseTlsSettings {
  databaseTlsCaFile?: string;
  databaseTlsCertFile?: string;
  databaseTlsKeyFile?: string;
}

/** Undefined: nothing is set. */
export const natsTls = (settings: NatsTlsSettings): TlsFiles | undefined =>
  settings.natsTlsCaFile === undefined
    ? undefined
    : { caFile: settings.natsTlsCaFile, certFile: settings.natsTlsCertFile, keyFile: settings.natsTlsKeyFile };

export const databaseTls = (settings: DatabaseTlsSettings): TlsFiles | undefined =>
  settings.databaseTlsCaFile === undefined
    ? undefined
    : {
        caFile: settings.databaseTlsCaFile,
        certFile: settings.databaseTlsCertFile,
        keyFile: settings.databaseTlsKeyFile,
      };

/** Where traces go; null: they are off. */
export function collectorOf({
  otlpEndpoint,
  otlpTracesEndpoint,
  otlpHeaders = '',
  otelResourceAttributes = '',
}: ServiceSettings): { url: string; headers: Record<string, string>; attributes: Record<string, string> } | null {
  const url = otlpTracesEndpoint ?? (otlpEndpoint && `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined) return null;
  return { url, headers: pairsIn(otlpHeaders) ?? {}, attributes: pairsIn(otelResourceAttributes) ?? {} };
}

/** Some decorators as one. */
export const together =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

/** Required with each of the other settings. */
export const IfOneIsSet = (...properties: string[]): PropertyDecorator =>
  ValidateIf((settings: Record<string, unknown>) => properties.some((name) => settings[name] !== undefined));

const serverOf = { nats: 'NATS', database: 'PostgreSQL' } as const;

export const TlsCaFile = (server: 'nats' | 'database'): PropertyDecorator =>
  together(
    Setting(
      `${server.toUpperCase()}_TLS_CA_FILE`,
      `A file in PEM with the certificates of the authorities that may sign the certificate of ${serverOf[server]}. With ` +
        'it, connections use TLS, and a server without it, with another authority or for another name is refused.',
    ),
    IfOneIsSet(`${server}TlsCaFile`, `${server}TlsCertFile`, `${server}TlsKeyFile`),
    IsCertificateFile(),
  );

export const TlsCertFile = (server: 'nats' | 'database'): PropertyDecorator =>
  together(
    Setting(
      `${server.toUpperCase()}_TLS_CERT_FILE`,
      `A file in PEM with the certificate that is shown to ${serverOf[server]}. It is read at each connection, as are ` +
        'the two other files.',
    ),
    IfOneIsSet(`${server}TlsCertFile`, `${server}TlsKeyFile`),
    IsCertificateFile(),
  );

export const TlsKeyFile = (server: 'nats' | 'database'): PropertyDecorator =>
  together(
    Setting(
      `${server.toUpperCase()}_TLS_KEY_FILE`,
      'A file in PEM with the private key of this certificate, without a passphrase.',
    ),
    IfOneIsSet(`${server}TlsCertFile`, `${server}TlsKeyFile`),
    IsKeyFileOf(`${server}TlsCertFile`),
  );

/** The settings of every service. */
export class ServiceSettings {
  @Setting('HTTP_HOST', 'The address that the HTTP server listens on.')
  @IsString()
  @IsNotEmpty()
  httpHost: string = '0.0.0.0';

  @Setting(
    'HTTP_PORT',
    'The HTTP port: the API of the gateways; health and metrics of the other services. 0 selects a free port.',
  )
  @IsInt()
  @Min(0)
  @Max(65_535)
  httpPort: number = 3000;

  @Setting('NATS_URL', 'The URL of NATS; several servers of a cluster are separated by commas.')
  @IsString()
  @IsNotEmpty()
  natsUrl: string = 'nats://127.0.0.1:4222';

  @Setting('NATS_USER', 'The NATS user of the service.')
  @IsOptional()
  @IsString()
  natsUser?: string;

  @Setting('NATS_PASSWORD', 'The password of the NATS user.', { secret: true })
  @IsOptional()
  @IsString()
  natsPassword?: string;

  @TlsCaFile('nats')
  natsTlsCaFile?: string;

  @TlsCertFile('nats')
  natsTlsCertFile?: string;

  @TlsKeyFile('nats')
  natsTlsKeyFile?: string;

  @Setting('NATS_REPLICAS', 'The number of replicas of each NATS stream: 1, or 3 or 5 in a cluster.')
  @IsInt()
  @IsIn([1, 3, 5])
  natsReplicas: number = 1;

  @Setting('LOG_LEVEL', 'The log level: trace, debug, info, warn, error, fatal or silent.')
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel: string = 'info';

  @Setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'The URL of an OpenTelemetry collector, such as http://collector:4318. Traces are posted to it with /v1/traces, as ' +
      'OTLP over HTTP in JSON. Without it and OTEL_EXPORTER_OTLP_TRACES_ENDPOINT there are no traces.',
  )
  @IsOptional()
  @IsCollectorUrl()
  otlpEndpoint?: string;

  @Setting(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'The whole URL to which traces are posted, in place of OTEL_EXPORTER_OTLP_ENDPOINT.',
  )
  @IsOptional()
  @IsCollectorUrl()
  otlpTracesEndpoint?: string;

  @Setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for the collector, such as a key: name=value,name=value, with values encoded as in URLs.',
    { secret: true },
  )
  @IsOptional()
  @IsPairs('header')
  otlpHeaders?: string;

  @Setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'The part of the HTTP requests that are traced, from 0 to 1, each decided by chance. What a traced request causes ' +
      'is traced, too.',
  )
  @IsNumber()
  @Min(0)
  @Max(1)
  tracesRatio: number = 1;

  @Setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    'Attributes of every trace, such as deployment.environment.name=production: name=value,name=value, with values ' +
      'encoded as in URLs.',
  )
  @IsOptional()
  @IsPairs('attribute')
  otelResourceAttributes?: string;

  @Setting('DRAIN_SECONDS', 'The time limit in seconds for a stopping service to complete accepted work.')
  @IsInt()
  @Min(1)
  @Max(300)
  drainSeconds: number = 20;
}

/** The settings of services with HTTP callers. */
export class EdgeSettings extends ServiceSettings {
  @Setting(
    'MANAGEMENT_HOST',
    'The address on which health and metrics are served (MANAGEMENT_PORT). HTTP_PORT does not serve them.',
  )
  @IsString()
  @IsNotEmpty()
  managementHost: string = '0.0.0.0';

  @Setting(
    'MANAGEMENT_PORT',
    'The port of health and metrics: /healthz, /livez, /readyz, /metrics. Only operators should reach it. 0 selects a ' +
      'free port.',
  )
  @IsInt()
  @Min(0)
  @Max(65_535)
  managementPort: number = 3001;

  @Setting(
    'TRUST_PROXY',
    'Whether X-Forwarded-For is trusted. Set it only behind a proxy that writes this header, and behind each such proxy: ' +
      'otherwise all callers have the address of the proxy, and share its limits.',
  )
  @IsBoolean()
  trustProxy: boolean = false;

  @Setting(
    'MAX_CONNECTIONS',
    'The maximum number of connections. One more closes one whose caller was refused, or else the one that has waited ' +
      'longest for the rest of a request. A lower limit of open files of the process applies, too.',
  )
  @IsInt()
  @Min(10)
  @Max(1_000_000)
  maxConnections: number = 20_000;

  @Setting(
    'WAITING_PER_ADDRESS',
    'How many connections of an address may be idle or have an unfinished request. One more closes the one that has ' +
      'waited longest. It is not used with TRUST_PROXY.',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  waitingPerAddress: number = 1000;

  @Setting(
    'BODIES_PER_ADDRESS',
    'How many unfinished bodies of requests an address may have before its key or token is known, and an organization ' +
      'afterwards. One more ends the oldest one with 408.',
  )
  @IsInt()
  @Min(1)
  @Max(100_000)
  bodiesPerAddress: number = 200;

  @Setting(
    'BODY_MEMORY_MIB',
    'The memory in MiB for bodies that arrive or wait. When it is full, the address or organization that holds the ' +
      'most loses its oldest unfinished body, with 503.',
  )
  @IsInt()
  @Min(4)
  @Max(65_536)
  bodyMemoryMiB: number = 128;

  @Setting(
    'FAILURES_PER_ADDRESS',
    'How many requests of an address without a valid key or token are checked in a minute, for each replica. Further ' +
      'ones get 429, unless this replica knows their key or token.',
  )
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  failuresPerAddress: number = 300;

  @Setting(
    'DRAIN_DELAY_MS',
    'How long in milliseconds a stopping service still accepts requests while /readyz returns 503. It must ' +
      'be longer than the load balancer needs to notice. 0 without a load balancer.',
  )
  @IsInt()
  @Min(0)
  @Max(120_000)
  drainDelayMs: number = 2000;

  @Setting(
    'SETTLE_MS',
    'After DRAIN_DELAY_MS a stopping service listens until no connection has arrived for this time in milliseconds. ' +
      'While connections arrive, it listens five seconds longer at most. Each answer closes its connection.',
  )
  @IsInt()
  @Min(0)
  @Max(60_000)
  settleMs: number = 1000;
}

/** The settings of services with tables. */
export class DatabaseSettings extends ServiceSettings {
  @Setting('DATABASE_URL', 'The PostgreSQL URL, with the role of this service.', { secret: true })
  @IsString()
  @IsNotEmpty()
  databaseUrl!: string;

  @TlsCaFile('database')
  databaseTlsCaFile?: string;

  @TlsCertFile('database')
  databaseTlsCertFile?: string;

  @TlsKeyFile('database')
  databaseTlsKeyFile?: string;

  @Setting('DATABASE_POOL', 'The maximum number of database connections. The default is 10, and 20 in workflow-engine.')
  @IsInt()
  @Min(2)
  @Max(200)
  databasePool: number = 10;

  @Setting(
    'DATABASE_TIMEOUT_MS',
    'How long a database statement may take, in milliseconds. Then the connection is closed, because it may be ' +
      'lost. The default is 3000 in alert-pipeline, where it should be shorter than PIPELINE_LEASE_SECONDS, and 4000 ' +
      'in workflow-engine.',
  )
  @IsInt()
  @Min(1000)
  @Max(120_000)
  databaseTimeoutMs: number = 5000;

  @Setting(
    'DATABASE_CONNECT_TIMEOUT_MS',
    'How long to wait for a database connection, in milliseconds: for a free one, or until a new one is open. Then a ' +
      'caller gets 503.',
  )
  @IsInt()
  @Min(100)
  @Max(120_000)
  databaseConnectTimeoutMs: number = 3000;

  @Setting(
    'AUDIT_WRITER_KEYS_FILE',
    'A PEM file with the Ed25519 key with which this service signs the audit entries that it sends: the first private ' +
      'key. auth has the public keys of all services in AUDIT_WRITERS_FILE, and needs no such file. Without it entries ' +
      'are not signed.',
  )
  @IsOptional()
  @IsString()
  auditWriterKeysFile?: string;

  @Setting(
    'CALL_SIGNERS_FILE',
    'A JSON file with the public keys of the API gateway, from `npm run admin -- calls signers`. With it, calls that the ' +
      'gateway has not signed are refused. Without it every call is executed.',
  )
  @IfOneIsSet('callSignersFile', 'callOwnerKeysFile')
  @IsString()
  callSignersFile?: string;

  @Setting(
    'CALL_OWNER_KEYS_FILE',
    'A PEM file with the X25519 key of this service, with which it checks calls; several while it is changed. The API ' +
      'gateway has the public keys of all services in CALL_OWNERS_FILE. It is used with CALL_SIGNERS_FILE.',
  )
  @IfOneIsSet('callSignersFile', 'callOwnerKeysFile')
  @IsString()
  callOwnerKeysFile?: string;

  @Setting(
    'CALL_UNSIGNED_UNTIL',
    'Until this time calls without a signature are executed, such as 2027-01-31T12:00:00Z. Set it to the end of an ' +
      'upgrade from a release whose API gateway does not sign. It is used with CALL_SIGNERS_FILE.',
  )
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  callUnsignedUntil?: string;

  @Setting(
    'CALL_CLOCK_TOLERANCE_SECONDS',
    'By how many seconds the clocks of this service and of the API gateway may differ. So long a captured call can be ' +
      'repeated at a replica that has received no later call of this gateway.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  callClockToleranceSeconds: number = 1800;
}
