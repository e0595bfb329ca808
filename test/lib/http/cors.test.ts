import { describe, expect, test } from 'vitest';
import { corsHeaders, preflightHeaders } from '../../../src/lib/http/cors.ts';

const allowed = ['https://portal.example.org', 'http://localhost:5173'];

describe('an origin counts only letter by letter', () => {
  test.each(allowed)('%s is allowed', (origin) => {
    expect(corsHeaders(origin, allowed)['access-control-allow-origin']).toBe(origin);
    expect(corsHeaders(origin, allowed)['access-control-allow-credentials']).toBe('true');
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
    '',
  ])('%j is not', (origin) => {
    expect(corsHeaders(origin, allowed)).toEqual({ vary: 'Origin' });
    expect(preflightHeaders(origin, allowed, ['GET'])).toEqual({});
  });

  test('and with an empty list nobody is', () => {
    expect(corsHeaders('https://portal.example.org', [])).toEqual({ vary: 'Origin' });
  });
});

test('caches keep replies to different origins apart, also where no origin was sent', () => {
  expect(corsHeaders(null, allowed)).toEqual({ vary: 'Origin' });
  expect(corsHeaders(allowed[0] ?? '', allowed)['vary']).toBe('Origin');
});
