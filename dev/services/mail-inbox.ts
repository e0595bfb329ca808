// The pages of the mail catcher: HTML for people, JSON for programs.
import type { RequestListener, ServerResponse } from 'node:http';

export type CaughtMail = {
  id: number;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  date: string;
  messageId: string;
  headers: { name: string; value: string }[];
  text: string;
  html: string;
};

/**
 * `GET /` the page, `GET /messages.json` all mails, oldest first, `GET /messages/{id}.html` one mail's HTML. It
 * refuses requests under foreign host names: mails contain reset links, which a web page elsewhere must not read by pointing
 * its host name here (DNS rebinding).
 */
export function createInbox(mails: () => readonly CaughtMail[]): RequestListener {
  return (request, response) => {
    const { port } = request.socket.address() as { port?: number };
    if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '')) {
      return reply(response, 421, 'text/plain', 'Ask for 127.0.0.1.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply(response, 405, 'text/plain', 'Only GET.', { allow: 'GET, HEAD' });
    }
    const path = request.url?.split('?')[0] ?? '/';
    if (path === '/') return reply(response, 200, 'text/html', page(mails()), pagePolicy);
    if (path === '/messages.json') return reply(response, 200, 'application/json', JSON.stringify(mails()));
    const id = Number(/^\/messages\/(\d{1,9})\.html$/.exec(path)?.[1]);
    const mail = mails().find((each) => each.id === id);
    if (mail === undefined) return reply(response, 404, 'text/plain', 'Page not found.');
    // Links open beside the inbox.
    const html = mail.html.replace(/<head>/i, '$&<base target="_blank">');
    reply(response, 200, 'text/html', html, mailPolicy);
  };
}

function reply(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...headers,
  });
  response.end(body);
}

const pagePolicy = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'",
};
/** A mail runs no script and loads nothing, as in mail programs. */
const mailPolicy = {
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
};

function page(mails: readonly CaughtMail[]): string {
  const count = mails.length === 1 ? '1 mail' : `${mails.length} mails`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Inbox: ${count}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
article { border: 1px solid #ccc; border-radius: 6px; padding: 1rem; margin: 1rem 0 }
h2 { margin: 0; font-size: 1.1rem } p { margin: 0 0 .5rem; color: #5c5c5c }
iframe { width: 100%; height: 32rem; border: 1px solid #eee } pre { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Inbox</h1>
<p>${count}, newest first. What the app mails ends here: none of it leaves this machine. <a href="/">Reload</a> · <a href="/messages.json">JSON</a></p>
${mails.toReversed().map(article).join('\n')}
</body>
</html>
`;
}

function article({ id, from, to, subject, receivedAt, messageId, text, html }: CaughtMail): string {
  const frame = `<iframe src="/messages/${id}.html" title="HTML of mail ${id}" loading="lazy"></iframe>`;
  return `<article>
<h2 dir="auto">${escapeHtml(subject)}</h2>
<p>${escapeHtml(from)} → ${escapeHtml(to.join(', '))} · ${receivedAt}<br>${escapeHtml(messageId)}</p>
${html === '' ? '' : frame}
<details${html === '' ? ' open' : ''}><summary>Text</summary><pre dir="auto">${escapeHtml(text)}</pre></details>
</article>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
