/** What follows a sign-in: the page that was wanted, as the member who signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { beginSession, type Session } from '../app/session.js';
import { returnPath } from './return-path.js';

export function useEnter(wanted?: string): (session: Session) => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return async (session) => {
    beginSession(queries, session);
    await router.navigate({ href: returnPath(wanted), replace: true });
  };
}
