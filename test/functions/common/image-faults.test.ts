import { connect } from 'node:net';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { reconcileImages } from '../../../src/domain/media/images/reconcile-images.ts';
import { createBlobStore } from '../../../src/lib/blob/blob-store.ts';
import { connectDatabase } from '../../../src/lib/db/connect.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { openTransaction, register, stuckBackends, tenantRows } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { skinPhoto } from '../../support/images.ts';
import { multipart } from '../../support/multipart.ts';
import { blobNames, photoPart, storeImages, storePhoto } from '../../support/stored-images.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

// An upload that is interrupted, wherever that happens, leaves no visible image; what it leaves behind the timer
// removes.

const app = await testApp();
const { access_token: token } = await register(app);
let seed = 500;
const photo = () => skinPhoto({ width: 64, height: 48, seed: (seed += 1), format: 'jpeg' });

interface ImageRow extends Record<string, unknown> {
  uuid: string;
  state: string;
  blob_name: string;
}
const rows = () => tenantRows<ImageRow>(app, `SELECT uuid, state, blob_name FROM images ORDER BY created_at`);
const pending = async () => (await rows()).filter(({ state }) => state === 'pending').length;
const visible = async () => (await rows()).filter(({ state }) => state === 'stored').length;

/** Blob storage behind a line that can fail. */
async function flakyStorage() {
  const connectionString = inject('services').storageConnectionString;
  const endpoint = new URL(/BlobEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? '');
  const line = await tcpProxy({ host: endpoint.hostname, port: Number(endpoint.port) });
  const behind = connectionString.replace(endpoint.host, `127.0.0.1:${line.port}`);
  return { line, instance: await anotherInstance(app, { STORAGE_CONNECTION_STRING: behind }) };
}

async function age(): Promise<void> {
  await tenantRows(app, `UPDATE images SET created_at = now() - interval '2 hours'`);
}

let before = { visible: 0, pending: 0, blobs: 0 };
beforeEach(async () => {
  before = { visible: await visible(), pending: await pending(), blobs: (await blobNames(app)).length };
});

describe('blob storage fails', async () => {
  const { line, instance } = await flakyStorage();

  test('refusing: 503, nothing visible; when it is back the next upload is stored', async () => {
    line.reset();
    const refused = await storeImages(instance, token, [await photo(), await photo()]);
    expect(refused).toMatchObject({ status: 503, code: 'unavailable' });
    expect(refused.detail).not.toMatch(/ECONN|azure|127\.0/i);
    expect(await visible()).toBe(before.visible);
    expect((await instance.request('/healthy')).status).toBe(200);
    line.forward();
    expect((await storeImages(instance, token, [await photo()])).status).toBe(201);
  });

  test('while a photo is read: 503, not 404', async () => {
    const { url } = await storePhoto(app, token, await photo());
    line.reset();
    const reply = await instance.request(url, { token });
    line.forward();
    expect(reply.status).toBe(503);
    expect((await instance.request(url, { token })).status).toBe(200);
  });
});

test('an upload whose account is erased before it has written its photo leaves no blob', async () => {
  const { line, instance } = await flakyStorage();
  line.hang();
  const answer = storeImages(instance, token, [await photo()]);
  await expect.poll(pending).toBe(before.pending + 1);
  await tenantRows(app, `DELETE FROM images WHERE state = 'pending'`);
  line.forward();
  expect((await answer).status).toBe(500);
  expect((await blobNames(app)).length).toBe(before.blobs);
});

describe('the database fails', () => {
  test('before the blobs: 500 or 503, no blob', async () => {
    await app.db.query(failing('INSERT'));
    const answer = await storeImages(app, token, [await photo()]);
    await app.db.query(working);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect((await blobNames(app)).length).toBe(before.blobs);
    expect(await visible()).toBe(before.visible);
  });

  test('after the blobs: they are removed again, with their rows', async () => {
    const key = { headers: { 'idempotency-key': 'after-the-blobs' } };
    const upload = await photo();
    await app.db.query(failing('UPDATE'));
    const answer = await storeImages(app, token, [upload, await photo()], key);
    await app.db.query(working);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect((await blobNames(app)).length).toBe(before.blobs);
    expect(await pending()).toBe(before.pending);
    // The key was not spent: the retry is a first try.
    expect((await storeImages(app, token, [upload], key)).status).toBe(201);
  });

  // The event of the upload proves a COMMIT that ends soon; a later one is not waited for.
  test.each([
    [0.5, 201],
    [6, 503],
  ])(
    'while it commits for %f s, and its answer is lost: %i, the photo has its blob, also for a retry',
    async (seconds, status) => {
      const { port, hostname } = new URL(app.databaseUrl);
      const line = await tcpProxy({ host: hostname, port: Number(port) });
      const behind = Object.assign(new URL(app.databaseUrl), { hostname: '127.0.0.1', port: line.port });
      const instance = await anotherInstance(app, { DATABASE_URL: behind.href });
      const key = { headers: { 'idempotency-key': `answer-to-commit-lost-${status}` } };
      const upload = await photo();
      await app.db.query(`
      CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER linger AFTER UPDATE ON images DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION linger()`);
      const answer = storeImages(instance, token, [upload], key);
      await expect.poll(async () => (await stuckBackends(app)).length, { interval: 10 }).toBe(1);
      // PostgreSQL is in the middle of COMMIT and does not notice.
      line.reset();
      line.forward();
      expect((await answer).status).toBe(status);
      await expect.poll(visible).toBe(before.visible + 1);
      await app.db.query('DROP FUNCTION linger() CASCADE');
      const retry = await storeImages(instance, token, [upload], key);
      expect(retry).toMatchObject({ status: 201, replayed: true });
      expect((await app.request(retry.images[0]?.url ?? '', { token })).status).toBe(200);
      expect((await blobNames(app)).length).toBe(before.blobs + 1);
      expect(await pending()).toBe(before.pending);
    },
  );

  const failing = (what: string) => `
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'injected'; END $$;
    CREATE TRIGGER fail BEFORE ${what} ON images FOR EACH ROW EXECUTE FUNCTION fail()`;
  const working = 'DROP FUNCTION fail() CASCADE';
});

test('a process killed between blob and row leaves nothing visible, the timer removes both, a retry is stored', async () => {
  const victim = await anotherInstance(app, {}, { process: true });
  const upload = await photo();
  // Holds the transaction that would make the image visible.
  await app.db.query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(8); RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE UPDATE ON images FOR EACH ROW EXECUTE FUNCTION wait()`);
  const answer = storeImages(victim, token, [upload]).catch(() => undefined);
  await expect.poll(async () => (await blobNames(app)).length).toBe(before.blobs + 1);
  await expect.poll(async () => (await stuckBackends(app)).length).toBe(1);
  const held = await stuckBackends(app);
  process.kill(victim.host.workerPid() ?? 0, 'SIGKILL');
  // By itself the database would notice at the end of the statement.
  await app.db.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [held]);
  await app.db.query('DROP FUNCTION wait() CASCADE');
  expect((await answer)?.status).not.toBe(201);
  expect(await visible()).toBe(before.visible);
  expect(await pending()).toBe(before.pending + 1);

  await app.runTimer('reconcileImages');
  expect((await blobNames(app)).length).toBe(before.blobs + 1); // may be an upload under way
  await age();
  await app.runTimer('reconcileImages');
  expect((await blobNames(app)).length).toBe(before.blobs);
  expect(await pending()).toBe(0);
  expect((await storeImages(app, token, [upload])).status).toBe(201);
});

test('a client that disconnects during an upload stores nothing, and the next request is served', async () => {
  const { body, contentType } = multipart([photoPart(await photo())]);
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/common/store_images HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${body.byteLength}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.byteLength / 2));
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  expect((await app.request('/healthy')).status).toBe(200);
  expect(await visible()).toBe(before.visible);
  expect((await blobNames(app)).length).toBe(before.blobs);
});

test('a thumbnail that is made while its photo is deleted leaves no blob', async () => {
  const { url, uuid } = await storePhoto(app, token, await photo());
  const deletion = await openTransaction(app);
  await deletion.run('UPDATE images SET deleted_at = now() WHERE uuid = $1', [uuid]);
  const thumbnail = app.request(`${url}?variant=thumbnail`, { token });
  await deletion.awaited();
  await deletion.commit();
  expect((await thumbnail).status).toBe(200);
  // That of the photo itself.
  expect((await blobNames(app)).length).toBe(before.blobs + 1);
});

test('a photo whose blob is gone is whole again once the same bytes were stored again, before the timer has found it', async () => {
  const bytes = await photo();
  const image = await storePhoto(app, token, bytes);
  const row = (await rows()).find(({ uuid }) => uuid === image.uuid);
  const whole = await app.blobs.getBlobClient(row?.blob_name ?? '').downloadToBuffer();
  await app.blobs.deleteBlob(row?.blob_name ?? '');
  expect((await app.request(image.url, { token })).status).toBe(404);
  expect(await storePhoto(app, token, bytes)).toEqual(image);
  const read = await app.request(image.url, { token });
  expect(read.status).toBe(200);
  expect(whole.equals(Buffer.from(await read.arrayBuffer()))).toBe(true);
  expect((await blobNames(app)).length).toBe(before.blobs + 1);
});

describe('the timer', () => {
  test('removes blobs that no row names, once they are an hour old', async () => {
    const stray = app.blobs.getBlockBlobClient('f'.repeat(48));
    await stray.upload('stray', 5);
    await app.runTimer('reconcileImages');
    expect(await stray.exists()).toBe(true); // may be an upload under way
    const { db, pool } = connectDatabase({ url: app.databaseUrl, poolMax: 1, onIdleError: () => undefined });
    const connectionString = inject('services').storageConnectionString;
    const blobs = createBlobStore({ connectionString, container: app.blobs.containerName });
    const later = new Date(Date.now() + 2 * 60 * 60 * 1000);
    const done = await reconcileImages(
      db,
      blobs,
      createLog(() => undefined),
      later,
    );
    await pool.end();
    expect(done.orphans).toBe(1);
    expect(await stray.exists()).toBe(false);
    expect(await visible()).toBe(before.visible);
  });

  test('hides an image whose blob is gone, and logs it', async () => {
    const image = await storePhoto(app, token, await photo());
    const { url } = await storePhoto(app, token, await photo());
    const row = (await rows()).find(({ uuid }) => uuid === image.uuid);
    await app.blobs.deleteBlob(row?.blob_name ?? '');
    await age();
    await app.runTimer('reconcileImages');
    expect((await app.request(image.url, { token })).status).toBe(404);
    expect((await app.request(url, { token })).status).toBe(200);
    const lines = app.output.filter((line) => line.includes('image_blob_missing'));
    expect(lines.join()).toContain(image.uuid);
  });

  test('clears a thumbnail whose blob is gone; the next reader makes it again', async () => {
    const { url, uuid } = await storePhoto(app, token, await photo());
    const thumbnail = () => app.request(`${url}?variant=thumbnail`, { token });
    expect((await thumbnail()).status).toBe(200);
    const [row] = await tenantRows<{ thumbnail_blob_name: string }>(
      app,
      'SELECT thumbnail_blob_name FROM images WHERE uuid = $1',
      [uuid],
    );
    await app.blobs.deleteBlob(row?.thumbnail_blob_name ?? '');
    await age();
    await app.runTimer('reconcileImages');
    const [after] = await tenantRows(app, 'SELECT thumbnail_blob_name FROM images WHERE uuid = $1', [uuid]);
    expect(after).toEqual({ thumbnail_blob_name: null });
    expect((await thumbnail()).status).toBe(200);
  });

  test('leaves complete images alone', async () => {
    const count = await visible();
    await age();
    await app.runTimer('reconcileImages');
    expect(await visible()).toBe(count);
  });
});
