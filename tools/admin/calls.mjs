// The public keys of signed calls, from files with private ones.
import { printedJson } from './printing.mjs';

const signers = {
  summary:
    'prints the public keys of the API gateway, from its CALL_SIGNING_KEYS_FILE, for CALL_SIGNERS_FILE of the services',
  positionals: ['FILE'],
  needsDatabase: false,
  async run({ readSigningKeys }, _options, file) {
    console.log(printedJson(readSigningKeys(file).published));
  },
};

const owners = {
  summary: 'prints the public keys of the services that answer calls, for CALL_OWNERS_FILE of the API gateway',
  options: {
    auth: { value: 'FILE', summary: 'CALL_OWNER_KEYS_FILE of the service', required: true },
    'resource-api': { value: 'FILE', summary: 'the same', required: true },
    'alert-pipeline': { value: 'FILE', summary: 'the same', required: true },
    'workflow-engine': { value: 'FILE', summary: 'the same', required: true },
  },
  needsDatabase: false,
  async run({ callOwners, readAgreementKeys }, files) {
    console.log(
      printedJson(Object.fromEntries(callOwners.map((name) => [name, readAgreementKeys(files[name]).published]))),
    );
  },
};

export const commands = { signers, owners };
