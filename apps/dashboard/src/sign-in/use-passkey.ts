/** Signs in with a passkey of this device, or of another one that the browser offers. */
import { startAuthentication } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.js';
import type { Session } from '../app/session.js';

export function usePasskey(enter: (session: Session) => Promise<void>) {
  return useMutation({
    mutationFn: async () => {
      const { data } = await call('beginPasskeySignIn');
      const optionsJSON = data.options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
      const response = await startAuthentication({ optionsJSON });
      const answer = await call('signInWithPasskey', { body: { response: { ...response } } });
      if (answer.data.session !== null) await enter(answer.data.session);
    },
  });
}
