import { expect, test } from 'vitest';
import { register } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { skinPhoto } from '../../support/images.ts';
import { storeImages, storePhoto } from '../../support/stored-images.ts';

// A storage account of its own, whose container does not exist.

const app = await testApp({ alone: true });
const { access_token: token } = await register(app);
const lost = await anotherInstance(app, { STORAGE_CONTAINER: 'not-there' });
const photo = () => skinPhoto({ width: 64, height: 48, seed: 77, format: 'jpeg' });
const reasons = () =>
  lost.output
    .filter((line) => line.includes('blob_storage_unavailable'))
    .map((line) => /\{.*\}/.exec(line)?.[0]);

test('an upload is 503, and the log names the cause: ContainerNotFound', async () => {
  const answer = await storeImages(lost, token, [await photo()]);
  expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
  expect(JSON.stringify(answer)).not.toMatch(/container/i);
  expect(JSON.parse(reasons().at(-1) ?? '{}')).toMatchObject({ errorCode: 'ContainerNotFound' });
});

test('so is a download', async () => {
  const { url } = await storePhoto(app, token, await photo());
  const before = reasons().length;
  expect((await lost.request(url, { token })).status).toBe(503);
  expect(reasons().length).toBe(before + 1);
  expect(JSON.parse(reasons().at(-1) ?? '{}')).toMatchObject({ errorCode: 'ContainerNotFound' });
});
