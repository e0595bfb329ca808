import { BlobServiceClient } from '@azure/storage-blob';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLoopback } from '../../../src/lib/network/loopback.ts';
import { connectsByPlainHttp, isPlainHttp } from '../../../src/lib/network/plain-http.ts';

/** Where the library itself would connect to; undefined when it refuses the string. */
function endpointOf(connectionString: string): URL | undefined {
  try {
    return new URL(BlobServiceClient.fromConnectionString(connectionString).url);
  } catch {
    return undefined;
  }
}

const keys = [
  'BlobEndpoint',
  'blobendpoint',
  'BlobEndpointX',
  'QueueEndpoint',
  'DefaultEndpointsProtocol',
  'defaultendpointsprotocol',
  'AccountName',
  'AccountKey',
  'EndpointSuffix',
  'SharedAccessSignature',
  'UseDevelopmentStorage',
];
const values = [
  'http://images.example',
  'HTTP://images.example/',
  'http:\\\\images.example',
  'https://images.example',
  'http://127.0.0.1:10000/account',
  'http://[::1]:10000/account',
  'http',
  'HTTP',
  'https',
  'images',
  'c2VjcmV0',
  'core.windows.net',
  'sv=1&sig=x',
  'true',
  'BlobEndpoint=http://images.example',
  'DefaultEndpointsProtocol=http',
  '',
];
const space = fc.constantFrom('', ' ', '\t');
const part = fc
  .tuple(space, fc.constantFrom(...keys), space, fc.constantFrom(...values), space)
  .map(([before, key, between, value, after]) => `${before}${key}=${between}${value}${after}`);

test('no connection string leads the storage library to plain http without being recognised', () => {
  const account = [
    'DefaultEndpointsProtocol=http',
    'AccountName=images',
    'AccountKey=c2VjcmV0',
    'EndpointSuffix=x.y',
  ];
  const strings = fc
    .tuple(fc.shuffledSubarray(account), fc.array(part, { maxLength: 5 }), fc.boolean())
    .map(([fixed, free, first]) => (first ? [...fixed, ...free] : [...free, ...fixed]).join(';'));
  let plain = 0;
  fc.assert(
    fc.property(strings, (connectionString) => {
      const endpoint = endpointOf(connectionString);
      if (endpoint === undefined || endpoint.protocol !== 'http:' || isLoopback(endpoint.hostname)) return;
      plain += 1;
      expect([connectionString, connectsByPlainHttp(connectionString)]).toEqual([connectionString, true]);
    }),
    { numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(500);
});

test.each([
  ['http://ⓛocalhost', false],
  ['http://１２７.0.0.1', false],
  ['http://localhost%2eexample', true],
  ['http://user@localhost', false],
  ['http://localhost@evil.example', true],
  ['http://localhost\\@evil.example', false],
  ['http://evil.example\\@localhost', true],
  ['https://evil.example', false],
  ['ftp://evil.example', false],
  ['not an address', false],
])('%s is read as the client reads it', (address, plain) => {
  expect(isPlainHttp(address)).toBe(plain);
});
