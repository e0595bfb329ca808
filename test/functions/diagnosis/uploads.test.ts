import { connect } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { request as rawRequest } from '../../../dev/packages/functions-host/test/running-host.ts';
import { register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { blankPng, pngChunk, skinPhoto } from '../../support/images.ts';
import { BOUNDARY, multipart, type Part } from '../../support/multipart.ts';

// What an upload to POST /api/diagnosis may be. Nothing of a refused one reaches the AI service or the database.

const app = await testApp();
const { access_token: token } = await register(app);
const [jpeg, png] = await Promise.all([
  skinPhoto({ width: 96, height: 72, format: 'jpeg' }),
  skinPhoto({ width: 96, height: 72 }),
]);

interface Answer {
  status: number;
  code?: string;
  detail?: string;
  errors?: { pointer: string; code: string; message: string }[];
  image_validity?: object;
}

async function send(...parts: Part[]): Promise<Answer> {
  const reply = await app.request('/api/diagnosis', upload(parts, { token }));
  return { ...((await reply.json()) as Answer), status: reply.status };
}

const sendImage = (body: Uint8Array, changes: Partial<Part> = {}) =>
  send(imagePart(body, changes), anamnesisPart());
const sendAnamnesis = (value: unknown) => send(imagePart(jpeg), anamnesisPart(value));

const storedRows = async () =>
  (await tenantRows<{ count: string }>(app, 'SELECT count(*) FROM ml_diagnosis_results'))[0]?.count;

/** How the image travelled to the AI service. */
function imageSentToAi(): { type: string | undefined; bytes: Buffer } {
  const body = app.ai.calls.find(({ route }) => route === 'image_validity')?.body ?? Buffer.alloc(0);
  const start = body.indexOf('\r\n\r\n') + 4;
  const end = body.lastIndexOf('\r\n--');
  const head = body.subarray(0, start).toString('latin1');
  return { type: /content-type: (\S+)/i.exec(head)?.[1], bytes: body.subarray(start, end) };
}

beforeEach(() => app.ai.reset());

describe('the bytes decide the type of an image', () => {
  test.each<[string, Partial<Part>]>([
    ['photo.png', { filename: 'photo.png', type: 'image/png' }],
    ['page.html', { filename: 'page.html', type: 'text/html' }],
    ['an unnamed octet stream', { filename: '', type: 'application/octet-stream' }],
    ['photo.heic', { filename: 'photo.heic', type: 'image/heic' }],
    ['a path', { filename: '../../../etc/passwd', type: 'image/svg+xml' }],
  ])('a JPEG sent as %s is a JPEG', async (_name, changes) => {
    expect((await sendImage(jpeg, changes)).status).toBe(200);
    expect(imageSentToAi()).toEqual({ type: 'image/jpeg', bytes: jpeg });
  });

  test('a PNG sent as a JPEG is a PNG', async () => {
    expect((await sendImage(png, { filename: 'photo.jpg', type: 'image/jpeg' })).status).toBe(200);
    expect(imageSentToAi()).toEqual({ type: 'image/png', bytes: png });
  });

  test("bytes after the picture's end are not sent on", async () => {
    expect((await sendImage(Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]))).status).toBe(
      200,
    );
    expect(imageSentToAi().bytes).toEqual(jpeg);
  });

  const foreign: [string, Uint8Array, string][] = [
    ['a GIF', Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0;', 'latin1'), 'a GIF image'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'an HTML page'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'an SVG image'],
    ['a HEIC', Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'), 'a HEIC image'],
    ['a ZIP', Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), deflateRawSync('x')]), 'a ZIP archive'],
    ['a WebP', Buffer.from('RIFF\u0024\0\0\0WEBPVP8 ', 'latin1'), 'a WebP image'],
    ['text', Buffer.from('just text'), 'not a JPEG or PNG'],
    ['base64', Buffer.from(jpeg.toString('base64')), 'not a JPEG or PNG'],
  ];
  test.each(foreign)('%s renamed .jpg is 400 and called by its name', async (_what, bytes, name) => {
    const answer = await sendImage(bytes);
    expect(answer).toMatchObject({
      status: 400,
      code: 'invalid_image',
      errors: [{ pointer: '/image', code: 'not_jpeg_or_png' }],
    });
    expect(answer.detail).toContain(name);
    expect(app.ai.calls).toEqual([]);
  });
});

describe('an image that does not decode is 400', () => {
  const withByte = (file: Buffer, at: number, value: number) => {
    const copy = Buffer.from(file);
    copy[at] = value;
    return copy;
  };
  const ihdrAt = 16;
  const damaged: [string, Buffer, string][] = [
    ['zero bytes', Buffer.alloc(0), 'empty'],
    ['only the first bytes of a JPEG', jpeg.subarray(0, 3), 'truncated'],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'truncated'],
    ['half a PNG', png.subarray(0, png.length / 2), 'truncated'],
    ['a PNG whose IHDR has a wrong checksum', withByte(png, ihdrAt + 3, 97), 'corrupt'],
    [
      'a PNG without pixels',
      Buffer.concat([png.subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]),
      'corrupt',
    ],
    [
      'a PNG whose compressed pixels are none',
      Buffer.concat([
        png.subarray(0, 33),
        pngChunk('IDAT', Buffer.from('surely not zlib')),
        pngChunk('IEND', Buffer.alloc(0)),
      ]),
      'undecodable',
    ],
  ];
  test.each(damaged)('%s', async (_what, bytes, code) => {
    const answer = await sendImage(bytes);
    expect(answer).toMatchObject({
      status: 400,
      code: 'invalid_image',
      errors: [{ pointer: '/image', code }],
    });
    expect(app.ai.calls).toEqual([]);
  });

  test('a PNG whose IHDR claims another size', async () => {
    const ihdr = Buffer.from(png.subarray(ihdrAt, ihdrAt + 13));
    ihdr.writeUInt32BE(5000, 0);
    const lying = Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', ihdr), png.subarray(33)]);
    expect(await sendImage(lying)).toMatchObject({ status: 400, code: 'invalid_image' });
  });
});

describe('an image that is too large is 413', () => {
  test('100 megapixels in a tiny file, without decoding them', async () => {
    const bomb = blankPng(10_000, 10_000);
    expect(bomb.length).toBeLessThan(20_000);
    const answer = await sendImage(bomb);
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(answer.detail).toContain('50 megapixels');
  });

  test('one row more than 50 megapixels', async () => {
    expect((await sendImage(blankPng(10_000, 5001))).status).toBe(413);
  });

  test('more than 15 MB', async () => {
    const heavy = Buffer.concat([jpeg, Buffer.alloc(15 * 1024 * 1024 + 1 - jpeg.length)]);
    const answer = await sendImage(heavy);
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(answer.detail).toContain(String(15 * 1024 * 1024));
  });

  test('while 15 MB to the byte is accepted', async () => {
    const full = Buffer.concat([jpeg, Buffer.alloc(15 * 1024 * 1024 - jpeg.length)]);
    expect((await sendImage(full)).status).toBe(200);
  });

  test('a whole body beyond all limits, before it is parsed', async () => {
    expect(await sendImage(Buffer.alloc(17 * 1024 * 1024))).toMatchObject({ status: 413 });
  });
});

describe('the anamnesis', () => {
  test.each<[string, unknown]>([
    ['text that is no JSON', 'itching since Tuesday'],
    ['nothing', ''],
    ['an array', []],
    ['a number', 7],
    ['null', 'null'],
    ['a text in quotes', '"{}"'],
    ['half an object', JSON.stringify(anamnesis).slice(0, 80)],
    ['a key twice', '{"patient":{},"patient":{}}'],
    ['a NUL character', String.raw`{"reporter":"\u0000"}`],
    ['a byte-order mark', `\uFEFF${JSON.stringify(anamnesis)}`],
    ['nesting without end', '['.repeat(30_000)],
  ])('that is %s is 400', async (_what, value) => {
    expect(await sendAnamnesis(value)).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(app.ai.calls).toEqual([]);
  });

  test('that is not UTF-8 is 400', async () => {
    const answer = await send(imagePart(jpeg), { name: 'anamnesis', body: Uint8Array.of(0x7b, 0xe9, 0x7d) });
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ pointer: '/anamnesis', code: 'invalid_format' }],
    });
  });

  test('with an unknown key is 422 and names it: a misspelt safety field must not vanish', async () => {
    const answer = await sendAnamnesis({ ...anamnesis, symptons: { emergency: ['fainting'] } });
    expect(answer).toMatchObject({
      status: 422,
      code: 'anamnesis_invalid',
      errors: [{ pointer: '/symptons', code: 'unknown_field' }],
    });
    expect(app.ai.calls).toEqual([]);
  });

  test('names every wrong field at once, by pointers relative to itself', async () => {
    const { errors = [], status } = await sendAnamnesis({
      ...anamnesis,
      patient: { ageYears: 400, gender: 'marker-gender' },
      locations: [{ primary: 'arm', secondary: 'knee' }],
      history: 7,
    });
    expect(status).toBe(422);
    const pointers = errors.map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(['/patient/ageYears', '/patient/gender', '/history']));
    expect(pointers.some((pointer) => pointer.startsWith('/locations/0'))).toBe(true);
    expect(JSON.stringify(errors)).not.toContain('marker-gender');
  });

  test('of one megabyte is 413', async () => {
    const answer = await sendAnamnesis({ ...anamnesis, note: 'x'.repeat(1024 * 1024) });
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(answer.detail).toContain('anamnesis');
  });

  test('of 64 KiB is read, one byte more is 413', async () => {
    const limit = 64 * 1024;
    const padded = (bytes: number) => JSON.stringify(anamnesis).padEnd(bytes, ' ');
    expect((await sendAnamnesis(padded(limit))).status).toBe(200);
    expect((await sendAnamnesis(padded(limit + 1))).status).toBe(413);
  });

  test('may be sent as a Blob, as browsers do with a type of its own', async () => {
    const form = new FormData();
    form.set('image', new Blob([Uint8Array.from(jpeg)]), 'x.jpg');
    form.set('anamnesis', new Blob([JSON.stringify(anamnesis)], { type: 'application/json' }));
    const reply = await app.request('/api/diagnosis', { method: 'POST', body: form, token });
    expect(reply.status).toBe(200);
  });
});

describe('the form', () => {
  const image = imagePart(jpeg);
  const cases: [string, Part[], string[]][] = [
    ['nothing in it', [], ['/image required', '/anamnesis required']],
    ['no image', [anamnesisPart()], ['/image required']],
    ['no anamnesis', [image], ['/anamnesis required']],
    ['two images', [image, image, anamnesisPart()], ['/image too_many']],
    ['two anamneses', [image, anamnesisPart(), anamnesisPart()], ['/anamnesis too_many']],
    [
      'an unknown part',
      [image, anamnesisPart(), { name: 'patient_name', body: 'x' }],
      ['/patient_name unknown_field'],
    ],
    ['an unknown file', [image, anamnesisPart(), { ...image, name: 'image2' }], ['/image2 unknown_field']],
    ['the image as text', [{ name: 'image', body: 'abc' }, anamnesisPart()], ['/image invalid_type']],
  ];
  test.each(cases)('with %s is 400 and the parts are named', async (_what, parts, expected) => {
    const { status, code, errors = [] } = await send(...parts);
    expect([status, code]).toEqual([400, 'invalid_multipart']);
    expect(errors.map((error) => `${error.pointer} ${error.code}`)).toEqual(expected);
    expect(app.ai.calls).toEqual([]);
  });

  test.each<[string, Part[]]>([
    ['a flood of fields', Array.from({ length: 3000 }, (_, index) => ({ name: `f${index}`, body: 'x' }))],
    [
      'a part with endless headers',
      [{ headers: Array.from({ length: 2000 }, (_, i) => `X-${i}: ${i}`), body: '' }],
    ],
    [
      'the boundary inside the image',
      [imagePart(Buffer.from(`abc\r\n--${BOUNDARY}\r\ndef`)), anamnesisPart()],
    ],
  ])('with %s is 400', async (_what, parts) => {
    expect(await send(...parts)).toMatchObject({ status: 400, code: 'invalid_multipart' });
  });

  test('that is truncated anywhere is 400', async () => {
    const { body, contentType } = multipart([image, anamnesisPart()]);
    for (const length of [1, 60, 200, Math.floor(body.length / 2), body.length - 10]) {
      const reply = await app.request('/api/diagnosis', {
        method: 'POST',
        token,
        body: body.subarray(0, length),
        headers: { 'content-type': contentType },
      });
      expect(await reply.json()).toMatchObject({ status: 400, code: 'invalid_multipart' });
    }
  });

  test.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other'])(
    'under "%s" is 400',
    async (contentType) => {
      const options = upload([image, anamnesisPart()], { token, headers: { 'content-type': contentType } });
      const reply = await app.request('/api/diagnosis', options);
      expect(await reply.json()).toMatchObject({ status: 400, code: 'invalid_multipart' });
    },
  );

  test.each([
    'application/json',
    'image/jpeg',
    'multipart/mixed; boundary=x',
    'application/x-www-form-urlencoded',
  ])('under "%s" is 415', async (contentType) => {
    const options = upload([image, anamnesisPart()], { token, headers: { 'content-type': contentType } });
    const reply = await app.request('/api/diagnosis', options);
    expect(await reply.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });
});

test('nothing of a refused upload is stored', async () => {
  const before = await storedRows();
  await sendImage(Buffer.from('GIF89a'));
  await sendAnamnesis({ ...anamnesis, unknown: 1 });
  await send(imagePart(jpeg));
  expect(await storedRows()).toBe(before);
});

test('a client that disconnects in the middle of an upload leaves nothing behind', async () => {
  const before = await storedRows();
  const { body, contentType } = multipart([imagePart(jpeg), anamnesisPart()]);
  const head = [
    'POST /api/diagnosis HTTP/1.1',
    'Host: app.test',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  const linesBefore = app.output.length;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = connect(app.host.port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.write(head);
      await new Promise((resolve) => socket.write(body.subarray(0, body.length / 2), resolve));
      socket.resetAndDestroy();
      await closed;
    }),
  );
  // The app answers others, and has not even been asked by those who left.
  expect((await sendImage(jpeg)).status).toBe(200);
  expect(app.ai.calls).toHaveLength(4);
  expect(Number(await storedRows())).toBe(Number(before) + 1);
  const requests = app.output
    .slice(linesBefore)
    .filter((line) => line.includes('"function":"createDiagnosis"'));
  expect(requests).toHaveLength(1);
});

test('an upload without a token is refused without being read', async () => {
  const { body, contentType } = multipart([imagePart(Buffer.alloc(10))]);
  const reply = await rawRequest(app.host, 'POST /api/diagnosis', [`Content-Type: ${contentType}`], body);
  expect(reply.status).toBe(401);
  expect(reply.headers['www-authenticate']).toEqual(['Bearer realm="dermagate"']);
});
