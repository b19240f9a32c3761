const here = 'https://dashboard.invalid';

/** The page to go to after signing in: a path of the dashboard, never another site. */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || !wanted.startsWith('/') || wanted.length > 2000) return '/';
  const path = wanted.replaceAll('\\', '/');
  if (!URL.canParse(path, here)) return '/';
  const url = new URL(path, here);
  if (url.origin !== here || /^\/(?:\/|sign-in)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
