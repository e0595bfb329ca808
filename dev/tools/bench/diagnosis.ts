// POST /api/diagnosis with a photo of about 200 kB and the reference AI service, compared with a bare handler that only
// receives the same bytes. Most of the time is work on pixels: the gateway decodes them, the AI service measures them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usual } from './benchmark.ts';
import { compare, significant } from './compare.ts';
import { drawPhoto } from './photo.ts';
import { type Rig, root } from './rig.ts';

export const name = 'diagnosis';

export async function run(rig: Rig): Promise<string> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const photo = await drawPhoto(join(rig.folder, 'photo'));
  const { body, contentType } = await form(photo, await readFile(join(root, 'dev/run/demo/anamnesis.json')));
  const post = { kind: 'http', method: 'POST', status: 200, body } as const;
  const headers = { 'content-type': contentType, authorization: `Bearer ${app.token}` };
  const { shares } = await compare(
    rig.generator(),
    {
      name: `POST /api/diagnosis (photo of ${Math.round(photo.byteLength / 1000)} kB)`,
      load: { ...post, origin: app.url, path: '/api/diagnosis', headers },
    },
    [{ name: 'bare handler', load: { ...post, origin: bare.url, path: '/bare', headers } }],
    // Of one user's photos one is decoded and two wait; a fourth would be refused.
    { ...usual, concurrency: 3, roundMs: 2500 },
  );
  return `diagnosis × ${significant(shares['bare handler'] ?? Number.NaN)}`;
}

/** Encoded once: composing it is the client's work. */
async function form(photo: Uint8Array<ArrayBuffer>, anamnesis: Uint8Array<ArrayBuffer>) {
  const data = new FormData();
  data.set('image', new Blob([photo], { type: 'image/jpeg' }), 'photo.jpg');
  data.set('anamnesis', Buffer.from(anamnesis).toString());
  const encoded = new Response(data);
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? '',
  };
}
