// The HTTP responses of the mail catcher:
//
//   GET /                  the list as a page, which refreshes itself
//   GET /read/{id}         one mail as a page: its HTML in a frame without scripts, and its text
//   GET /mails             the list as JSON: {data: [{id, receivedAt, from, to, subject}]}, newest first
//   GET /mails/{id}        one mail as JSON: the same with text, html, headers and raw
//   GET /mails/{id}/html   only its HTML, which the frame shows
//   GET /readyz            204
const page =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";
/** A mail runs no script and loads nothing; its links open in a new window. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox';
const nothing = "default-src 'none'; frame-ancestors 'none'";

/**
 * Only these host names are accepted, because a web site could resolve its own name to this machine and read mails (DNS
 * rebinding).
 */
const ownName = /^(localhost|127\.0\.0\.1)(:\d+)?$/i;

/** `{status, type, body, policy}` for a request. */
export async function answer({ method, url = '/', headers }, mails) {
  if (!ownName.test(headers.host ?? '')) return text(421, 'Use the host 127.0.0.1 for the mail catcher.\n');
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET is supported.\n');
  const [path] = url.split('?');
  if (path === '/') return html(200, 'Mails', listOf(mails.list()), { refresh: true });
  if (path === '/readyz') return text(204, '');
  if (path === '/mails') return json(200, { data: mails.list() });
  const [, kind, id, part] = /^\/(mails|read)\/([\w-]+)(\/html)?$/.exec(path) ?? [];
  const mail = id === undefined ? null : await mails.find(id);
  if (mail && kind === 'read' && !part) return html(200, mail.subject, mailOf(mail));
  if (mail && kind === 'mails' && part)
    return {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><base target="_blank">${mail.html ?? ''}`,
      policy: mailPolicy,
    };
  if (mail && kind === 'mails') return json(200, { data: mail });
  return kind === 'mails'
    ? json(404, { error: 'This mail does not exist.' })
    : text(404, 'This page does not exist.\n');
}

const text = (status, body) => ({ status, type: 'text/plain; charset=utf-8', body, policy: nothing });
const json = (status, value) => ({
  status,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value, null, 1)}\n`,
  policy: nothing,
});

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (value) => String(value).replace(/[&<>"']/g, (character) => entities[character]);
const localTime = (iso) => new Date(iso).toLocaleString('sv-SE');

const html = (status, title, content, { refresh = false } = {}) => ({
  status,
  type: 'text/html; charset=utf-8',
  policy: page,
  body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${refresh ? '<meta http-equiv="refresh" content="2">\n' : ''}<title>${escaped(title)}</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
a { color: inherit; }
ul { list-style: none; padding: 0; }
li a { display: block; padding: .6rem 0; border-top: 1px solid #8884; text-decoration: none; overflow-wrap: anywhere; }
li a:hover strong { text-decoration: underline; }
small { opacity: .75; }
iframe { width: 100%; height: 70vh; border: 1px solid #8884; border-radius: .4rem; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8884; border-radius: .4rem; padding: .8rem; }
</style></head><body>
${content}
</body></html>
`,
});

const listOf = (mails) => `<h1>Mails of this installation</h1>
<p><small>All mails of this installation, newest first; nothing leaves this machine.
This page refreshes itself.</small></p>
${mails.length === 0 ? '<p>No mails yet.</p>' : `<ul>\n${mails.map(entryOf).join('\n')}\n</ul>`}`;

const entryOf = ({ id, receivedAt, to, subject }) =>
  '<li><a ' +
  `href="/read/${id}"><strong>${escaped(subject || '(no subject)')}</strong><br>` +
  `<small>${escaped(localTime(receivedAt))} to ${escaped(to.join(', '))}</small></a></li>`;

const headersOf = ({ headers }) => headers.map(({ name, value }) => `${escaped(name)}: ${escaped(value)}`).join('\n');

const mailOf = (mail) => `<p><a href="/">All mails</a></p>
<h1>${escaped(mail.subject || '(no subject)')}</h1>
<p><small>${escaped(localTime(mail.receivedAt))}
from ${escaped(mail.from)} to ${escaped(mail.to.join(', '))}</small></p>
${
  mail.html === null
    ? ''
    : `<iframe src="/mails/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="The mail ` +
      `as HTML"></iframe>\n`
}
${mail.text === null ? '' : `<h1>As text</h1>\n<pre>${escaped(mail.text)}</pre>\n`}
<details><summary>Headers</summary><pre>${headersOf(mail)}</pre></details>
<p><a href="/mails/${mail.id}">As JSON</a></p>`;
