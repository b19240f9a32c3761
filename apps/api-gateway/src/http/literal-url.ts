const special = /[%#]/;

/**
 * Encodes the path once more. find-my-way decodes it once and so gets the path as it was sent. Without this,
 * find-my-way would refuse a malformed percent-encoding before any hook runs, but this API refuses it after admission.
 * `originalUrl` of Fastify's request is the URL as it was sent.
 */
export function literalUrl(url: string): string {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  if (path.startsWith('/') && !special.test(path)) return url;
  const literal = path.replaceAll('%', '%25').replaceAll('#', '%23');
  return `${path.startsWith('/') ? '' : '/'}${literal}${at < 0 ? '' : url.slice(at)}`;
}
