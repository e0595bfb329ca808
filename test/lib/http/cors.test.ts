import { describe, expect, test } from 'vitest';
import { corsHeaders, preflightHeaders } from '../../../src/lib/http/cors.ts';

const listed = ['https://portal.example.org', 'http://localhost:5173'];
const production = { CORS_ORIGINS: listed, production: true };
const development = { CORS_ORIGINS: listed, production: false };

/** The headers of a reply to a request from this origin, and the log lines that it left. */
function replyTo(origin: string | null, config: typeof production = production) {
  const lines: [string, object | undefined][] = [];
  const log = { warn: (event: string, facts?: object) => void lines.push([event, facts]) };
  const request = {
    url: 'https://api.example.org/api/auth/login',
    headers: new Headers(origin === null ? {} : { origin }),
  };
  return { headers: corsHeaders(request, config, log), lines };
}

describe('an origin counts only letter by letter', () => {
  test.each(listed)('%s is allowed', (origin) => {
    const { headers, lines } = replyTo(origin);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(lines).toEqual([]);
  });

  test.each([
    'null',
    '*',
    'https://portal.example.org.evil.example',
    'https://evil-portal.example.org',
    'https://PORTAL.example.org',
    'http://portal.example.org',
    'https://portal.example.org:8443',
    'https://portal.example.org/',
    'http://localhost:51730',
    'http://127.0.0.1:5173',
    '',
  ])('%j is not', (origin) => {
    expect(replyTo(origin).headers).toEqual({ vary: 'Origin' });
    expect(preflightHeaders(origin, production, ['GET'])).toEqual({});
  });

  test('and with an empty list no origin is', () => {
    const { headers } = replyTo('https://portal.example.org', { ...production, CORS_ORIGINS: [] });
    expect(headers).toEqual({ vary: 'Origin' });
  });
});

describe('in development a front end on this machine may call, whatever its port; in production it may not', () => {
  test.each([
    'http://localhost',
    'http://localhost:3000',
    'https://localhost:8443',
    'http://127.0.0.1:5174',
    'http://[::1]:4200',
  ])('%s', (origin) => {
    expect(replyTo(origin, development).headers['access-control-allow-origin']).toBe(origin);
    expect(preflightHeaders(origin, development, ['GET', 'OPTIONS'])).toMatchObject({
      'access-control-allow-methods': 'GET',
    });
    expect(replyTo(origin).headers).toEqual({ vary: 'Origin' });
    expect(preflightHeaders(origin, production, ['GET'])).toEqual({});
  });

  test.each([
    'http://localhost.evil.example',
    'http://evil.example:3000',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1@evil.example',
    'http://192.168.1.17:3000',
    'http://localhost:3000/',
    'http://LOCALHOST:3000',
    'file://localhost',
    'null',
  ])('%j may not in development either', (origin) => {
    expect(replyTo(origin, development).headers).toEqual({ vary: 'Origin' });
    expect(preflightHeaders(origin, development, ['GET'])).toEqual({});
  });
});

describe('a refused origin is named in one log line', () => {
  test.each(['null', 'https://other.example:8443', 'capacitor://localhost', 'http://localhost:3000'])(
    '%s',
    (origin) => {
      expect(replyTo(origin).lines).toEqual([['origin_refused', { origin }]]);
    },
  );

  test.each(['', 'https://a.example/path?name=ann', 'https://a b', `https://${'a'.repeat(300)}`])(
    'text that is no origin is not repeated: %j',
    (origin) => {
      expect(replyTo(origin).lines).toEqual([['origin_refused', { origin: 'malformed' }]]);
    },
  );

  test('requests of our own pages are not refusals', () => {
    expect(replyTo('https://api.example.org').lines).toEqual([]);
  });
});

test('caches keep replies to different origins apart, also where no origin was sent', () => {
  expect(replyTo(null)).toEqual({ headers: { vary: 'Origin' }, lines: [] });
  expect(replyTo(listed[0] ?? '').headers['vary']).toBe('Origin');
});
