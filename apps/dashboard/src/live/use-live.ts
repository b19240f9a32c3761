/**
 * Keeps what is on the screen current while a member is signed in. Without the stream, what is shown is read again from
 * time to time.
 */
import { useEffect } from 'react';
import { useTestData } from '../app/environment.js';
import { useSession } from '../app/session.js';
import { useLiveState } from './connection-state.js';
import { connectLive, readAgain } from './connection.js';

const pollMs = 20_000;

export function useLive(): void {
  const isTest = useTestData();
  const { member } = useSession();
  useEffect(() => connectLive(isTest ? 'test' : 'live', member.id), [isTest, member.id]);
  const isLive = useLiveState().kind === 'live';
  useEffect(() => {
    if (isLive) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) readAgain();
    }, pollMs);
    return () => clearInterval(timer);
  }, [isLive]);
}
