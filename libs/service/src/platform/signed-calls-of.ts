/** The check of the calls that a service gets, from its settings. */
import { CallVerifier, verificationKeys } from '@ams/domain';
import { SignedCalls, type Logger } from '@ams/messaging';
import { readKeysFile } from '../secrets/keys-file.js';
import { readAgreementKeys } from '../secrets/signing-keys.js';
import { DatabaseSettings, type ServiceSettings } from '../settings.js';

/** Throws SettingsError when a file cannot be used. */
export function signedCallsOf(owner: string, settings: ServiceSettings, log: Logger): SignedCalls {
  if (!(settings instanceof DatabaseSettings)) return new SignedCalls();
  const { callSignersFile, callOwnerKeysFile, callUnsignedUntil: until } = settings;
  if (callSignersFile === undefined || callOwnerKeysFile === undefined) {
    log.warn(
      {},
      'CALL_SIGNERS_FILE is not set: calls are executed without a check that the API gateway has signed them',
    );
    return new SignedCalls();
  }
  const unsignedUntil = until === undefined ? 0 : Date.parse(until);
  if (unsignedUntil > Date.now())
    log.warn({ until }, 'CALL_UNSIGNED_UNTIL is in the future: calls without a signature are executed');
  const verifier = new CallVerifier({
    owner,
    signers: readKeysFile('CALL_SIGNERS_FILE', callSignersFile, verificationKeys),
    privateKeys: readAgreementKeys(callOwnerKeysFile).privateKeys,
    toleranceMs: settings.callClockToleranceSeconds * 1000,
  });
  return new SignedCalls({ verifier, unsignedUntil });
}
