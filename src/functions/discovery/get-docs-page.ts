import { endpoint } from '../../lib/http/endpoint.ts';

/**
 * Everything comes from this address: no script or style of another host, none inside the page. `blob:` is how
 * Swagger UI shows a photo that it was answered with.
 */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dermagate API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

export const getDocsPage = endpoint({
  name: 'getDocsPage',
  method: 'GET',
  route: 'api/docs',
  tag: 'Discovery',
  summary: 'Open the interactive documentation; works offline',
  description:
    'Shows the operations with their examples and sends requests; *Authorize* takes the access token.',
  auth: 'public',
  audit: 'none',
  reply: { status: 200, description: 'An HTML page.', raw: 'text/html; charset=utf-8' },
  problems: [],
  async handler() {
    return {
      body: page,
      headers: {
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
          "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      },
    };
  },
});
