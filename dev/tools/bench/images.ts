// Photos of 10 MB: upload and download compared with direct calls of the Azure SDK to Azurite, and the memory of the app's
// process during fifty concurrent uploads compared with a bare handler that only receives the same bytes.
import { randomFillSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import type { Result } from './benchmark.ts';
import { significant } from './compare.ts';
import type { App, Rig } from './rig.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export const name = 'images';

const rounds = 8;
const atOnce = 50;
const megabyte = 1024 * 1024;

export async function run(rig: Rig): Promise<Result> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const storage = BlobServiceClient.fromConnectionString(app.settings['STORAGE_CONNECTION_STRING'] ?? '');
  const container = storage.getContainerClient(app.settings['STORAGE_CONTAINER'] ?? 'images');
  const bareUrl = `${bare.url}/bare`;
  const { up, down, received } = await transfers(app, container, bareUrl);
  const extra = await memory(app, { url: bareUrl, pid: bare.workerPid() });
  return {
    summary: `10 MB up × ${significant(up)} (× ${significant(received)} of a bare handler and the SDK), down × ${significant(down)}; 50 uploads: ${significant(extra)} × their bytes over bare`,
    goals: [{ what: '10 MB up, of the SDK alone', ratio: up, atMost: 1.5 }],
  };
}

/** Ours in turn with the SDK's, and with a bare handler that only receives the photo: both together are the least an upload costs. */
async function transfers(app: App, container: ContainerClient, bareUrl: string) {
  const times = { ourUp: [0], bareUp: [0], sdkUp: [0], ourDown: [0], sdkDown: [0] };
  for (let round = 0; round <= rounds; round += 1) {
    const photo = noisePng();
    const blob = container.getBlockBlobClient(`bench-${round}`);
    let url = '';
    const steps = {
      ourUp: async () => (url = await upload(app, photo)),
      bareUp: async () => await post(bareUrl, photo),
      sdkUp: async () => await blob.upload(photo, photo.byteLength),
      ourDown: async () => await download(app, url),
      sdkDown: async () => await blob.downloadToBuffer(),
    };
    for (const [step, work] of Object.entries(steps)) {
      const started = performance.now();
      await work();
      // The first round warms up.
      if (round > 0) times[step as keyof typeof times].push(performance.now() - started);
    }
    await blob.delete();
  }
  const typical = (list: number[]) => median(list.slice(1));
  const row = (what: string, ours: number[], yardstick: number) => [
    what,
    significant(typical(ours)),
    significant(yardstick),
    `× ${significant(typical(ours) / yardstick)}`,
  ];
  const [sdkUp, sdkDown] = [typical(times.sdkUp), typical(times.sdkDown)];
  const least = typical(times.bareUp) + sdkUp;
  console.log(`\nA photo of 10 MB, one at a time, median of ${rounds}, ms`);
  const rows = [
    row('upload, of the SDK alone', times.ourUp, sdkUp),
    row('upload, of a bare handler and the SDK', times.ourUp, least),
    row('download, of the SDK alone', times.ourDown, sdkDown),
  ];
  console.log(table(['', 'gateway', 'yardstick', 'ratio'], rows));
  return {
    up: typical(times.ourUp) / sdkUp,
    down: typical(times.ourDown) / sdkDown,
    received: typical(times.ourUp) / least,
  };
}

/** @returns the memory that our app needs beyond the bare handler, as a share of the bytes in flight. */
async function memory(app: App, bare: { url: string; pid: number | undefined }): Promise<number> {
  const photos = Array.from({ length: atOnce }, noisePng);
  const bytes = photos.reduce((sum, photo) => sum + photo.byteLength, 0);
  const theirs = await peak(bare.pid, () => Promise.all(photos.map((photo) => post(bare.url, photo))));
  const ours = await peak(app.host.workerPid(), () => Promise.all(photos.map((photo) => upload(app, photo))));
  const row = (what: string, { idle, highest, after }: Peak) => [
    what,
    ...[idle, highest, highest - idle, after].map((each) => significant(each / megabyte)),
  ];
  console.log(
    `\n${atOnce} uploads of 10 MB at once (${Math.round(bytes / megabyte)} MB), the app's process, MB`,
  );
  const head = ['', 'idle', 'peak', 'peak − idle', 'idle again'];
  console.log(table(head, [row('bare handler', theirs), row('gateway', ours)]));
  const extra = (ours.highest - ours.idle - (theirs.highest - theirs.idle)) / bytes;
  console.log(`  beyond the bare handler: ${significant(extra)} × the bytes in flight`);
  return extra;
}

interface Peak {
  idle: number;
  highest: number;
  /** Half a minute later, after the image decoder's processes have ended. */
  after: number;
}

async function peak(pid: number | undefined, work: () => Promise<unknown>): Promise<Peak> {
  const idle = residentBytes(pid);
  let highest = idle;
  const watch = setInterval(() => (highest = Math.max(highest, residentBytes(pid))), 20);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  await sleep(35_000);
  return { idle, highest, after: residentBytes(pid) };
}

/** Memory of the process and its decoder processes; from /proc, so on Linux only. */
function residentBytes(pid: number | undefined): number {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    textOf(file).split(' ').filter(Boolean),
  );
  const kilobytes = [String(pid), ...children].map((each) =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${each}/status`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Empty for a process that has just ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function upload(app: App, photo: Buffer<ArrayBuffer>): Promise<string> {
  const body = form(photo);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    authorization: `Bearer ${app.token}`,
  };
  const reply = await fetch(`${app.url}/api/common/store_images`, { method: 'POST', body, headers });
  if (reply.status === 429) {
    // Only a few photos of one user may wait at a time; like a client, repeat the request.
    await reply.arrayBuffer();
    await sleep(Number(reply.headers.get('retry-after')) * 1000);
    return await upload(app, photo);
  }
  const answer = (await reply.json()) as { images?: { url: string }[]; code?: string };
  if (reply.status !== 201) throw new Error(`store_images answered ${reply.status} ${answer.code}`);
  return answer.images?.[0]?.url ?? '';
}

async function post(url: string, photo: Buffer<ArrayBuffer>): Promise<void> {
  const reply = await fetch(url, { method: 'POST', body: form(photo) });
  await reply.arrayBuffer();
}

async function download(app: App, url: string): Promise<void> {
  const reply = await fetch(`${app.url}${url}`, { headers: { authorization: `Bearer ${app.token}` } });
  if (!reply.ok) throw new Error(`the download answered ${reply.status}`);
  await reply.arrayBuffer();
}

/** As long as a browser's: the search for it is the faster the longer it is. */
const boundary = '----WebKitFormBoundary0123456789abcdef';

function form(photo: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), photo, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** A unique PNG of 10 MB: random pixels, not compressed. */
function noisePng(): Buffer<ArrayBuffer> {
  const [width, height] = [1872, 1868];
  const rows = randomFillSync(Buffer.alloc((1 + width * 3) * height));
  for (let row = 0; row < height; row += 1) rows[row * (1 + width * 3)] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = deflateSync(rows, { level: 0 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
