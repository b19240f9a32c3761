// The settings of services that an operator may set for `npm start`, as environment variables: those of
// docs/configuration.md, which is generated from the code, without those that the start itself decides.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/workspace.mjs';

/** Addresses and credentials of the parts of the installation. */
const decidedByStart = new Set([
  'HTTP_HOST',
  'HTTP_PORT',
  'MANAGEMENT_HOST',
  'MANAGEMENT_PORT',
  'NATS_URL',
  'NATS_USER',
  'NATS_PASSWORD',
  'DATABASE_URL',
  'INGEST_URL',
  'SMTP_URL',
  'MAIL_FROM',
]);

/** `[{ section, names }]`: a section is `Every service`, or names services after its last colon or as a whole. */
const sections = () =>
  readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      section: text.slice(0, text.indexOf('\n')),
      names: [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name).filter((n) => !decidedByStart.has(n)),
    }));

const isFor = (section, service) =>
  section === 'Every service' || section.replace(/^.*: /, '').split(', ').includes(service);

/** The variables of `environment` that the service knows. */
export function operatorSettings(service, environment) {
  const names = sections()
    .filter(({ section }) => isFor(section, service))
    .flatMap((found) => found.names);
  // The ingest gateway is behind the API gateway here, so it must trust X-Forwarded-For.
  const known = names.filter((name) => !(service === 'ingest-gateway' && name === 'TRUST_PROXY'));
  return Object.fromEntries(known.filter((name) => environment[name]).map((name) => [name, environment[name]]));
}

/** For the help: one line for each section. */
export const listOfSettings = () =>
  sections()
    .filter(({ names }) => names.length > 0)
    .map(({ section, names }) => `  ${section}:\n    ${names.join(', ').replace(/(.{1,100})(?:, |$)/g, '$1,\n    ')}`)
    .join('\n')
    .replace(/,\n {4}(?=\n|$)/g, '');
