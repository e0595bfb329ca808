import { expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { skinPhoto } from '../../support/images.ts';
import { storePhoto } from '../../support/stored-images.ts';
import { waitingCase } from '../../support/waiting-case.ts';

// Answers and image_validity may name photos that we have stored; the gateway checks that the caller may see them.

const app = await testApp();
await createTenant(app, 'elsewhere');
const [owner, other, physician, stranger] = await Promise.all([
  register(app),
  register(app),
  register(app, { role: 'physician' }),
  register(app, { role: 'admin', tenant: 'elsewhere' }),
]);
const photo = await skinPhoto({ width: 200, height: 150, format: 'jpeg' });
const { url, uuid } = await storePhoto(app, owner.access_token, photo);
await waitingCase(app, owner.access_token, { images: [{ name: uuid }] });
const inNoCase = await storePhoto(
  app,
  owner.access_token,
  await skinPhoto({ width: 210, height: 150, format: 'jpeg' }),
);
const unknown = '/api/common/images/01a1fe24-8b2d-73b9-8383-8be1e08ff577';

const answers = (...urls: string[]) => ({ ...anamnesis, images: urls.map((each) => ({ url: each })) });

interface Answer {
  code?: string;
  errors?: { pointer: string; code: string }[];
}

const routes = ['predict_diagnosis', 'red_flags', 'triage', 'next_question'] as const;

test.each(routes)('%s takes answers that name a photo which the caller may see', async (route) => {
  for (const { access_token: token } of [owner, physician]) {
    expect((await app.request(`/api/ai/${route}`, { json: answers(url), token })).status).toBe(200);
  }
});

test.each(routes)('%s refuses a photo of another user like one that does not exist', async (route) => {
  for (const { access_token: token } of [other, stranger]) {
    const reply = await app.request(`/api/ai/${route}`, { json: answers(unknown, url), token });
    expect(reply.status).toBe(422);
    const { code, errors } = (await reply.json()) as Answer;
    expect(code).toBe('anamnesis_invalid');
    expect(errors?.map(({ pointer }) => pointer)).toEqual(['/images/0/url', '/images/1/url']);
    expect(new Set(errors?.map((error) => error.code)).size).toBe(1);
  }
  const { access_token: token } = physician;
  const reply = await app.request(`/api/ai/${route}`, { json: answers(url, inNoCase.url), token });
  expect(reply.status).toBe(422);
  expect(((await reply.json()) as Answer).errors?.map(({ pointer }) => pointer)).toEqual(['/images/1/url']);
});

test.each([
  ['was deleted', 'deleted_at = now()'],
  ['is still being stored', `state = 'pending'`],
])(
  'answers that name a photo which %s are refused, and it is read no more, by its owner either',
  async (_, set) => {
    const width = set.length + 220;
    const gone = await storePhoto(
      app,
      owner.access_token,
      await skinPhoto({ width, height: 150, format: 'jpeg' }),
    );
    const ask = () =>
      app.request('/api/ai/red_flags', { json: answers(gone.url), token: owner.access_token });
    expect((await ask()).status).toBe(200);
    await tenantRows(app, `UPDATE images SET ${set} WHERE uuid = $1`, [gone.uuid]);
    const reply = await ask();
    expect([reply.status, ((await reply.json()) as Answer).code]).toEqual([422, 'anamnesis_invalid']);
    // Its blob is there: the removal of one that was deleted may have failed.
    expect((await app.request(gone.url, { token: owner.access_token })).status).toBe(404);
  },
);

test('a diagnosis refuses them too, before the AI service is called', async () => {
  const send = (token: string) =>
    app.request('/api/diagnosis', upload([imagePart(photo), anamnesisPart(answers(url))], { token }));
  expect((await send(owner.access_token)).status).toBe(200);
  const calls = app.ai.calls.length;
  const refused = await send(other.access_token);
  expect(refused.status).toBe(422);
  expect(app.ai.calls.length).toBe(calls);
});

test('image_validity judges a stored photo for those who may see it', async () => {
  const judge = (imageUrl: string, token: string) =>
    app.request('/api/ai/image_validity', { json: { imageUrl }, token });
  expect((await judge(url, owner.access_token)).status).toBe(200);
  expect((await judge(url, physician.access_token)).status).toBe(200);
  for (const { access_token } of [other, stranger]) {
    expect((await judge(url, access_token)).status).toBe(404);
  }
  expect((await judge(unknown, owner.access_token)).status).toBe(404);
  expect((await judge(inNoCase.url, physician.access_token)).status).toBe(404);
});

test.each([
  'https://evil.example/photo.jpg',
  'file:///etc/passwd',
  '/api/common/images/',
  '//x/api/common/images/1',
])('image_validity fetches nothing from %s', async (imageUrl) => {
  const reply = await app.request('/api/ai/image_validity', {
    json: { imageUrl },
    token: owner.access_token,
  });
  expect(reply.status).toBe(400);
  expect(((await reply.json()) as Answer).errors).toMatchObject([
    { pointer: '/imageUrl', code: 'invalid_format' },
  ]);
});

test('image_validity takes either bytes in valid base64 or a path', async () => {
  const judge = (json: object) => app.request('/api/ai/image_validity', { json, token: owner.access_token });
  expect((await judge({ imageData: photo.toString('base64') })).status).toBe(200);
  expect((await judge({ imageData: photo.toString('base64'), imageUrl: url })).status).toBe(400);
  expect((await judge({})).status).toBe(400);
  expect((await judge({ imageData: 'not base64!' })).status).toBe(400);
  const text = await judge({ imageData: Buffer.from('<html>').toString('base64') });
  expect(((await text.json()) as Answer).code).toBe('invalid_image');
});
