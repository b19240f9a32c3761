/** 'Silence this': the form of a suppression window, filled with what the alert is known by. */
import { useRouter } from '@tanstack/react-router';
import { silenceSearch } from './silence-search.js';
import type { Alert } from './patch-alerts.js';

export function useSilence(): (alert: Alert) => void {
  const router = useRouter();
  return (alert) => void router.navigate({ href: silenceHref(alert) });
}

/** For a link. */
export const silenceHref = (alert: Alert): string =>
  `/suppression/new?${new URLSearchParams(silenceSearch(alert)).toString()}`;
