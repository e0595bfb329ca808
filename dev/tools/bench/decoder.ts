// One user continuously sends the slowest photos that are accepted; how long another user's photo takes meanwhile, compared
// with its usual time.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { significant } from './compare.ts';
import { drawPhoto } from './photo.ts';
import type { App, Rig } from './rig.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export const name = 'decoder';

const uploads = 25;
const sendersAtOnce = 8;
/** Bar: the other user's photo is accepted within this multiple of its usual time. */
const BAR = 2;

export async function run(rig: Rig): Promise<string> {
  const app = await rig.app();
  const photo = Buffer.from(await drawPhoto(join(rig.folder, 'photo')));
  const victim = await register(app);
  await uploadAll(app, victim, photo, 3);
  const usual = await uploadAll(app, victim, photo, uploads);

  const over = new AbortController();
  const costly = await costlyPhoto();
  const statuses = new Map<number, number>();
  const flood = Array.from({ length: sendersAtOnce }, async () => {
    while (!over.signal.aborted) {
      const { status, retryAfter } = await upload(app, app.token, costly);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) await sleep(retryAfter * 1000);
    }
  });
  await sleep(2000);
  const attacked = await uploadAll(app, victim, photo, uploads);
  over.abort();
  await Promise.all(flood);

  const ratio = median(attacked) / median(usual);
  console.log(`\nA photo of ${Math.round(photo.length / 1000)} kB, median of ${uploads}, ms`);
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const rows = [
    ['usual', significant(median(usual)), ''],
    ['while another sends costly ones', significant(median(attacked)), `× ${significant(ratio)}`],
  ];
  console.log(table(['', 'ms', 'ratio'], rows));
  console.log(`  the other user got ${counts}; the bar is × ${BAR}${ratio > BAR ? ': MISSED' : ''}`);
  return `photo under attack × ${significant(ratio)} of usual`;
}

async function uploadAll(app: App, token: string, photo: Buffer, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const file = distinct(photo);
    const started = performance.now();
    const { status } = await upload(app, token, file);
    if (status !== 201) throw new Error(`store_images answered ${status}`);
    times.push(performance.now() - started);
  }
  return times;
}

async function upload(
  app: App,
  token: string,
  photo: Buffer,
): Promise<{ status: number; retryAfter: number }> {
  const body = new FormData();
  body.set('images', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${app.url}/api/common/store_images`, { method: 'POST', body, headers });
  await reply.arrayBuffer();
  return { status: reply.status, retryAfter: Number(reply.headers.get('retry-after') ?? 1) };
}

/** 49 megapixels in ten scans: about a hundred kilobytes that take a second to decode. */
const costlyPhoto = () =>
  sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#c8a08c' } })
    .jpeg({ progressive: true, quality: 60 })
    .toBuffer();

/** The same image with another pixel density, so that it is not recognised as already stored. */
function distinct(photo: Buffer): Buffer {
  const copy = Buffer.from(photo);
  const jfif = copy.indexOf('JFIF\0');
  if (jfif < 0) throw new Error('The photo has no JFIF header.');
  copy.writeUInt16BE(Math.floor(Math.random() * 0xffff), jfif + 8);
  return copy;
}

async function register(app: App): Promise<string> {
  const account = { email: `${randomUUID()}@example.org`, password: randomUUID(), role: 'patient' };
  const reply = await fetch(`${app.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!reply.ok) throw new Error(`register answered ${reply.status}`);
  return ((await reply.json()) as { access_token: string }).access_token;
}
