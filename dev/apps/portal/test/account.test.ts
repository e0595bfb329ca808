import { expect, test } from 'vitest';
import { deviceName } from '../src/account/settings/device-name.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Chrome · Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge · Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari · iPhone'],
  ['Mozilla/5.0 (Linux; Android 15) Gecko/140 Firefox/140.0', 'Firefox · Android'],
  ['curl/8.1', undefined],
  [null, undefined],
])('the user agent %s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
