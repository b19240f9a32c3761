/** The settings of this service. */
import { DatabaseSettings, IsCertificateFile, IsKeyFileOf, IsSecretKeys, Setting } from '@ams/service';
import { pushKeyPatterns } from '@ams/domain';
import { roles, type Role } from '@ams/scopes';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { roleMappingFault, teamMappingFault } from './openid/mapping-faults.js';

const IsWithout = (name: string, faultOf: (value: unknown) => string | null): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => faultOf(value) === null,
      defaultMessage: (args) => faultOf(args?.value) ?? '',
    },
  });

/** What is wrong with the address of a collector of syslog, or null. */
const collectorFault = (value: unknown): string | null => {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be a URL';
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value);
  if (!['tcp:', 'tls:'].includes(protocol)) return 'must begin with tcp:// or tls://';
  if (hostname === '' || port === '') return 'must have a host and a port';
  return [username, password, search, hash, pathname.replace('/', '')].every((part) => part === '')
    ? null
    : 'must have nothing but a host and a port';
};

/** http only to this machine: the secret of the client would be readable on the way. */
const issuerFault = (value: unknown): string | null => {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be a URL';
  const { protocol, hostname, search, hash } = new URL(value);
  if (search !== '' || hash !== '') return 'must be a URL without a query and a fragment';
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isOwn) ? null : 'must begin with https://';
};

const withSyslogCertificate = ({ auditSyslogTlsCertFile, auditSyslogTlsKeyFile }: AuthSettings): boolean =>
  auditSyslogTlsCertFile !== undefined || auditSyslogTlsKeyFile !== undefined;

const withOpenId = ({ openIdIssuer }: AuthSettings): boolean => openIdIssuer !== undefined;

export class AuthSettings extends DatabaseSettings {
  @Setting(
    'API_LIMIT_PER_MINUTE',
    'The maximum number of authenticated requests of an organization to the v1 API in one window.',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  apiLimit: number = 300;

  @Setting(
    'API_LIMIT_WINDOW_SECONDS',
    'The length of this window in seconds. It begins with the first request after the previous window.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  apiLimitWindowSeconds: number = 60;

  @Setting(
    'MEMBER_LIMIT_PER_MINUTE',
    'The maximum number of requests of a member who is signed in, in one window of the same length. They do not count ' +
      'for the organization.',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  memberLimit: number = 600;

  @Setting('SESSION_IDLE_HOURS', 'After how many hours without a request a session ends.')
  @IsInt()
  @Min(1)
  @Max(8760)
  sessionIdleHours: number = 336;

  @Setting('SESSION_DAYS', 'After how many days a session ends in any case. Then the person signs in again.')
  @IsInt()
  @Min(1)
  @Max(365)
  sessionDays: number = 30;

  @Setting('PUBLIC_URL', 'The address under which people reach the dashboard. Links in mails to members begin with it.')
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:3000';

  @Setting(
    'API_KEYS_PER_DAY',
    'The maximum number of API keys that an organization can create with the API in 24 hours.',
  )
  @IsInt()
  @Min(1)
  @Max(100_000)
  apiKeysPerDay: number = 10;

  @Setting(
    'ADMISSION_TIMEOUT_MS',
    'How long in milliseconds a request may wait for its admission. After it the caller gets 503.',
  )
  @IsInt()
  @Min(100)
  @Max(30_000)
  admissionTimeoutMs: number = 2000;

  @Setting(
    'ADMISSION_QUEUE',
    'The maximum number of requests that wait for their admission. Above it callers get 503 immediately.',
  )
  @IsInt()
  @Min(100)
  @Max(1_000_000)
  admissionQueue: number = 10_000;

  @Setting(
    'SECRETS_KEY',
    'The secret that encrypts the secrets of authenticator apps and the addresses of devices in the database. Several ' +
      'are separated by commas: the first one encrypts, all of them decrypt. Without it nobody can set up an ' +
      'authenticator app or add a device.',
    { secret: true },
  )
  @IsOptional()
  @IsSecretKeys()
  secretsKey?: string;

  @Setting(
    'AUDIT_SIGNING_KEYS_FILE',
    'A PEM file with the Ed25519 keys for checkpoints of the audit log. The first private key signs. The others, also ' +
      'public ones, are those of earlier checkpoints. Without it nothing is signed.',
  )
  @IsOptional()
  @IsString()
  auditSigningKeysFile?: string;

  @Setting(
    'AUDIT_WRITERS_FILE',
    'A JSON file with the public keys of the services that send audit entries, from `npm run admin -- audit writers`. ' +
      'With it, entries that are not signed by the service that writes entries of their type are set aside. Without it ' +
      'every entry is stored.',
  )
  @IsOptional()
  @IsString()
  auditWritersFile?: string;

  @Setting(
    'AUDIT_UNSIGNED_UNTIL',
    'Entries without a signature that NATS has received before this time are stored, such as 2027-01-31T12:00:00Z. Set ' +
      'it to the end of an upgrade from a release whose services do not sign. It is used with AUDIT_WRITERS_FILE.',
  )
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  auditUnsignedUntil?: string;

  @Setting(
    'AUDIT_SYSLOG_URL',
    'The collector of syslog to which the audit logs of all organizations are sent, such as ' +
      'tls://syslog.example.com:6514, or tcp:// without encryption. Without it nothing is sent.',
  )
  @IsOptional()
  @IsWithout('isCollector', collectorFault)
  auditSyslogUrl?: string;

  @Setting(
    'AUDIT_SYSLOG_MAX_BYTES',
    'The longest message that the collector takes. In a longer one, the values of changes are left out.',
  )
  @IsInt()
  @Min(2048)
  @Max(1_048_576)
  auditSyslogMaxBytes: number = 8192;

  @Setting(
    'AUDIT_SYSLOG_TLS_CA_FILE',
    'A file in PEM with the authorities that may sign the certificate of the collector. Without it they are those of ' +
      'Node.',
  )
  @IsOptional()
  @IsCertificateFile()
  auditSyslogTlsCaFile?: string;

  @Setting(
    'AUDIT_SYSLOG_TLS_CERT_FILE',
    'A file in PEM with the certificate that is shown to the collector. It is read at each connection, as are the two ' +
      'other files.',
  )
  @ValidateIf(withSyslogCertificate)
  @IsCertificateFile()
  auditSyslogTlsCertFile?: string;

  @Setting('AUDIT_SYSLOG_TLS_KEY_FILE', 'A file in PEM with the private key of this certificate, without a passphrase.')
  @ValidateIf(withSyslogCertificate)
  @IsKeyFileOf('auditSyslogTlsCertFile')
  auditSyslogTlsKeyFile?: string;

  @Setting('AUDIT_CHECKPOINT_SECONDS', 'How often a checkpoint of an audit log with new entries is signed, in seconds.')
  @IsInt()
  @Min(1)
  @Max(86_400)
  auditCheckpointSeconds: number = 60;

  @Setting(
    'AUDIT_REFUSALS_SECONDS',
    'How often, in seconds, refused requests are written to the audit log: one entry with a count for what is alike.',
  )
  @IsInt()
  @Min(1)
  @Max(3600)
  auditRefusalsSeconds: number = 60;

  @Setting(
    'AUDIT_DAYS',
    'For how many days audit entries are kept at least. They are deleted a month at a time. Without it they are kept ' +
      'without end.',
  )
  @IsOptional()
  @IsInt()
  @Min(31)
  @Max(36_500)
  auditDays?: number;

  @Setting(
    'VAPID_PUBLIC_KEY',
    'The public key with which browsers subscribe to push messages, the same as that of the notifier. Without it, or ' +
      'without SECRETS_KEY, nobody can add a device.',
  )
  @IsOptional()
  @Matches(pushKeyPatterns.p256dh, { message: 'must be a point of P-256, 65 bytes in base64url' })
  vapidPublicKey?: string;

  @Setting(
    'OPENID_ISSUER',
    'The issuer of the OpenID provider with which members sign in, such as https://login.example.com/realms/ops. ' +
      'Its metadata is at /.well-known/openid-configuration below it. Requires OPENID_CLIENT_ID, OPENID_ORGANIZATION ' +
      'and PUBLIC_URL. Without it nobody signs in with OpenID Connect.',
  )
  @ValidateIf(withOpenId)
  @IsWithout('isIssuer', issuerFault)
  openIdIssuer?: string;

  @Setting(
    'OPENID_CLIENT_ID',
    'The id of this service at the OpenID provider. There, register PUBLIC_URL with the path /sign-in/openid as its ' +
      'redirect URI.',
  )
  @ValidateIf(withOpenId)
  @IsString()
  openIdClientId?: string;

  @Setting('OPENID_CLIENT_SECRET', 'The secret of this service at the OpenID provider. A public client has none.', {
    secret: true,
  })
  @IsOptional()
  @IsString()
  openIdClientSecret?: string;

  @Setting(
    'OPENID_TIMEOUT_SECONDS',
    'The time limit in seconds for an answer of the OpenID provider. A sign-in sends up to three requests, and the API ' +
      'gateway waits CALL_TIMEOUT_MS.',
  )
  @IsInt()
  @Min(1)
  @Max(60)
  openIdTimeoutSeconds: number = 3;

  @Setting('OPENID_NAME', 'The name of the OpenID provider on the sign-in page.')
  @IsString()
  @Matches(/^(?=.*\S).{1,60}$/, { message: 'must be 1 to 60 characters' })
  openIdName: string = 'single sign-on';

  @Setting('OPENID_SCOPES', 'The scopes that are requested from the OpenID provider. openid and email are needed.')
  @Matches(/^(?=.*\bopenid\b)(?=.*\bemail\b)/, { message: 'must contain openid and email' })
  openIdScopes: string = 'openid email profile';

  @Setting('OPENID_ORGANIZATION', 'The slug of the organization to which people of the OpenID provider belong.')
  @ValidateIf(withOpenId)
  @IsString()
  openIdOrganization?: string;

  @Setting(
    'OPENID_CREATE_MEMBERS',
    'Whether somebody of the OpenID provider who is not a member becomes one at the first sign-in. Otherwise only ' +
      'members and people who are invited can sign in.',
  )
  @IsBoolean()
  openIdCreateMembers: boolean = false;

  @Setting(
    'OPENID_GROUPS_CLAIM',
    'The claim with the groups or roles of a person, such as groups; nested claims are joined by dots, such as ' +
      'realm_access.roles.',
  )
  @IsOptional()
  @IsString()
  openIdGroupsClaim?: string;

  @Setting(
    'OPENID_ROLES',
    'Which groups have which role, such as sre-leads=admin,sre=responder. Of several roles, the one with the most ' +
      'rights counts. Then roles follow the groups at each sign-in. Without it members keep their role, and new ones ' +
      'have OPENID_OTHER_ROLE.',
  )
  @IsWithout('isRoleMapping', roleMappingFault)
  openIdRoles: string = '';

  @Setting(
    'OPENID_OTHER_ROLE',
    'The role of people who are in none of the groups in OPENID_ROLES. Without it they cannot sign in if OPENID_ROLES ' +
      'is set, and are viewers otherwise.',
  )
  @IsOptional()
  @IsIn(Object.keys(roles))
  openIdOtherRole?: Role;

  @Setting(
    'OPENID_TEAMS',
    'Which groups belong to which teams, by their slugs, such as payments-oncall=payments. Then the members of these ' +
      'teams follow the groups at each sign-in.',
  )
  @IsWithout('isTeamMapping', teamMappingFault)
  openIdTeams: string = '';

  get sessions(): SessionLife {
    return { idleSeconds: this.sessionIdleHours * 3600, lifeSeconds: this.sessionDays * 86_400 };
  }
}

export interface SessionLife {
  idleSeconds: number;
  lifeSeconds: number;
}
