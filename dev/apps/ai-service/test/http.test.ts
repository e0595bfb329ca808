import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow } from '../questions/flow.ts';
import { startAiService, type AiService } from '../server.ts';
import { NextQuestionReply } from '../../../../src/domain/intake/questions/question.schemas.ts';
import { redFlagRules } from '../../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';
import { TriageReply } from '../../../../src/domain/intake/triage/triage.schemas.ts';
import { blankPng, encodePng, mapPixels, skinPhoto } from '../../../../test/support/images.ts';

let service: AiService;
let locked: AiService;
let photo: Buffer;

beforeAll(async () => {
  [service, locked, photo] = await Promise.all([
    startAiService(),
    startAiService({ key: 'correct horse battery staple' }),
    skinPhoto(),
  ]);
});
afterAll(async () => {
  await Promise.all([service.stop(), locked.stop()]);
});

interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function send(path: string, init: RequestInit = {}, to = service): Promise<Reply> {
  const response = await fetch(to.url + path, init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Reply['body'],
  };
}

const postJson = (path: string, body: unknown, headers: Record<string, string> = {}, to = service) =>
  send(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    to,
  );

function imageForm(bytes: Buffer, name = 'image'): FormData {
  const form = new FormData();
  form.append(name, new Blob([new Uint8Array(bytes)]), 'photo.png');
  return form;
}

const postImage = (body: FormData, headers: Record<string, string> = {}) =>
  send('/image_validity', { method: 'POST', body, headers });

const anamnesis = {
  patient: { ageYears: 34, gender: 'female' },
  complaint: { category: 'rash', duration: 'one_day' },
  locations: [{ primary: 'arm' }],
  lesion: { lesionTypes: ['wheal'], swellingSites: ['lips'] },
  symptoms: { emergency: ['fainting'], local: ['itching'], systemic: ['none'] },
};

describe('predict_diagnosis', () => {
  test('answers five predictions in the gateway’s shape, not for clinical use', async () => {
    const { status, headers, body } = await postJson('/predict_diagnosis', anamnesis);
    expect(status).toBe(200);
    expect(body.predictions).toHaveLength(5);
    expect((body.predictions as object[])[0]).toEqual({
      disease: 'urticaria',
      probability: expect.any(Number),
      confidence: expect.stringMatching(/^(low|medium|high)$/),
      name: 'Urticaria (hives)',
      icd10: 'L50.9',
      explanation: expect.arrayContaining([
        expect.stringMatching(/^“Wheal or hive.*” speaks for it \(lesion\.lesionTypes,/),
      ]),
    });
    expect(body.notice).toMatch(/not for clinical use/i);
    expect(body.modelVersion).toMatch(/^reference-\d+\.\d+\.\d+\+[0-9a-f]{8}$/);
    expect(headers.get('x-notice')).toBe('not for clinical use');
  });

  test('answers the same bytes for the same anamnesis', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => postJson('/predict_diagnosis', anamnesis)));
    expect(one?.body).toEqual(other?.body);
  });

  test('names the disease in the language of the header, else of the anamnesis, else in English', async () => {
    const nameOf = async (body: object, headers = {}) =>
      ((await postJson('/predict_diagnosis', body, headers)).body.predictions as { name: string }[])[0]?.name;
    // fetch itself sends `accept-language: *`, which asks for nothing in particular.
    expect(await nameOf(anamnesis)).toBe('Urticaria (hives)');
    expect(await nameOf(anamnesis, { 'accept-language': 'he' })).toBe('חרלת (סרפדת)');
    expect(await nameOf({ ...anamnesis, language: 'es' })).toBe('Urticaria (ronchas)');
    expect(await nameOf({ ...anamnesis, language: 'es' }, { 'accept-language': 'ar' })).toBe('الشرى');
  });

  test('takes an anamnesis that is hardly begun', async () => {
    expect((await postJson('/predict_diagnosis', {})).status).toBe(200);
  });

  test('takes image addresses on hosts that only the gateway knows, and never fetches them', async () => {
    const images = [{ url: 'https://photos.example.test/a.jpg' }];
    expect((await postJson('/predict_diagnosis', { ...anamnesis, images })).status).toBe(200);
  });
});

describe('red_flags', () => {
  test('answers the flags of all urgencies, the highest first', async () => {
    const history = { skinConditions: ['none'], immuneStatus: 'normal' };
    const complaint = { ...anamnesis.complaint, impact: 'thoughts_of_self_harm' };
    const { status, body } = await postJson('/red_flags', { ...anamnesis, history, complaint });
    expect(status).toBe(200);
    expect(body).toMatchObject({ hasRedFlags: true, urgency: 'emergency' });
    const details = body.flagDetails as { code: string; urgency: string; text: string; certainty: string }[];
    expect(details[0]).toEqual({
      code: 'possible_anaphylaxis',
      urgency: 'emergency',
      text: expect.stringMatching(/allergic reaction/),
      certainty: 'met',
    });
    expect(details.map(({ code }) => code)).toEqual(body.flags);
    expect(details).toContainEqual(expect.objectContaining({ code: 'self_harm_risk', urgency: 'high' }));
  });

  test('answers low and none when no rule holds', async () => {
    const { body } = await postJson('/red_flags', { complaint: { category: 'acne' } });
    expect(body).toMatchObject({ hasRedFlags: false, flags: [], urgency: 'low', flagDetails: [] });
  });
});

describe('next_question', () => {
  const ask = (body: unknown, headers = {}) => postJson('/next_question', body, headers);

  test('asks the safety screen first, in the language of the header', async () => {
    const { status, body } = await ask({}, { 'accept-language': 'he' });
    expect(status).toBe(200);
    expect(NextQuestionReply.parse(body)).toMatchObject({ questionId: 'q_safety', machineDrafted: true });
    expect(body.questionText).toMatch(/^האם/);
    expect(body.notice).toMatch(/not for clinical use/i);
  });

  test('takes skippedQuestions beside the anamnesis', async () => {
    const answers = { symptoms: { emergency: ['none'] }, patient: { ageYears: 3 } };
    expect((await ask(answers)).body.questionId).toBe('q_reporter');
    const skipped = await ask({ ...answers, skippedQuestions: ['q_reporter'] });
    expect(skipped.body.questionId).toBe('q_systemic');
  });

  test('ends at once in an emergency', async () => {
    const { body } = await ask(anamnesis);
    expect(body).toMatchObject({
      isComplete: true,
      questionId: '',
      questionText: '',
      questionType: 'text',
      fieldName: '',
      options: [],
      emergency: ['possible_anaphylaxis'],
      emergencyDetails: [
        { code: 'possible_anaphylaxis', text: expect.any(String), urgency: 'emergency', certainty: 'met' },
      ],
    });
  });

  test('refuses wrong fields of both parts in one answer', async () => {
    const { status, body } = await ask({ patient: { gender: 'femal' }, skippedQuestions: ['', 7] });
    expect([status, body.code]).toEqual([422, 'anamnesis_invalid']);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/patient/gender', code: 'invalid_value' }),
      expect.objectContaining({ pointer: '/skippedQuestions/0', code: 'too_small' }),
      expect.objectContaining({ pointer: '/skippedQuestions/1', code: 'invalid_type' }),
    ]);
  });

  test.each([
    [null],
    ['q_itch'],
    [{}],
    [['q_itch', 'q_itch']],
    [Array.from({ length: 201 }, () => 'q_itch')],
  ])('refuses skippedQuestions %j', async (skippedQuestions) => {
    const { status, body } = await ask({ skippedQuestions });
    expect([status, body.errors]).toEqual([
      422,
      expect.arrayContaining([expect.objectContaining({ pointer: '/skippedQuestions' })]),
    ]);
  });

  test('answers the same bytes for the same answers', async () => {
    const body = { complaint: { category: 'rash' }, symptoms: { emergency: ['none'] } };
    const [one, other] = await Promise.all([1, 2].map(() => ask(body, { 'accept-language': 'ar' })));
    expect(one?.body).toEqual(other?.body);
  });
});

describe('triage', () => {
  test('answers level, score, action and reasons in the language of the header', async () => {
    const { status, body } = await postJson('/triage', anamnesis, { 'accept-language': 'es' });
    expect(status).toBe(200);
    expect(TriageReply.parse(body)).toMatchObject({
      priority: 'emergency',
      urgencyScore: 10,
      recommendedAction: 'call_emergency_services',
      reasons: expect.arrayContaining([
        { code: 'possible_anaphylaxis', text: expect.stringMatching(/alérgica/) },
      ]),
      recommendedActionText: 'Llame ahora a los servicios de emergencia.',
      machineDrafted: true,
    });
    expect(body.notice).toMatch(/not for clinical use/i);
  });

  test('takes an anamnesis that is hardly begun and gives no all-clear', async () => {
    const { status, body } = await postJson('/triage', {});
    expect([status, body.priority]).toEqual([200, 'routine']);
    expect(body).not.toHaveProperty('machineDrafted');
  });

  test('refuses wrong fields by pointer, skippedQuestions among them', async () => {
    const { status, body } = await postJson('/triage', {
      symptoms: { emergency: 'none' },
      skippedQuestions: [],
    });
    expect([status, body.code]).toEqual([422, 'anamnesis_invalid']);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/symptoms/emergency', code: 'invalid_type' }),
      expect.objectContaining({ pointer: '/skippedQuestions', code: 'unknown_field' }),
    ]);
  });
});

describe('every reply names the model and says what it is', () => {
  test.each([
    ['GET', '/healthy'],
    ['POST', '/predict_diagnosis'],
    ['POST', '/red_flags'],
    ['POST', '/triage'],
    ['POST', '/next_question'],
    ['POST', '/image_validity'],
    ['POST', '/nowhere'],
  ])('%s %s', async (method, path) => {
    const bodies: Record<string, RequestInit> = {
      '/healthy': {},
      '/image_validity': { body: imageForm(photo) },
    };
    const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
    const { body } = await send(path, { method, ...(bodies[path] ?? json) });
    expect(body.notice).toMatch(/not for clinical use/i);
    expect(body.modelVersion).toMatch(/^reference-\d+\.\d+\.\d+\+[0-9a-f]{8}$/);
  });

  test('predict_diagnosis also what was not measured, in the language of the caller', async () => {
    const noticeIn = async (language: string) =>
      (await postJson('/predict_diagnosis', {}, { 'accept-language': language })).body.notice;
    expect(await noticeIn('en')).toMatch(/^Only a few questions were answered; .* never measured .*use\.$/);
    expect(await noticeIn('he')).toMatch(/^נענו .* לא לשימוש קליני\.$/);
    expect(await noticeIn('ar')).toMatch(/^أُجيب .* غير مخصص للاستخدام السريري\.$/);
    expect(await noticeIn('es')).toMatch(/^Se han respondido .* No apta para uso clínico\.$/);
  });
});

describe('texts in a language that a machine drafted are marked', () => {
  test.each([
    ['/predict_diagnosis', anamnesis],
    ['/red_flags', anamnesis],
    ['/triage', anamnesis],
    ['/next_question', {}],
  ])('in the reply of %s', async (path, body) => {
    const marks = await Promise.all(
      ['en', 'he', 'ar', 'es'].map(async (language) => {
        const reply = await postJson(path, body, { 'accept-language': language });
        return reply.body.machineDrafted;
      }),
    );
    expect(marks).toEqual([undefined, true, true, true]);
  });

  test('in the reply of /image_validity, when there is something to say', async () => {
    const small = imageForm(await skinPhoto({ width: 180, height: 150 }));
    expect((await postImage(small, { 'accept-language': 'he' })).body.machineDrafted).toBe(true);
    expect(
      (await postImage(imageForm(photo), { 'accept-language': 'he' })).body.machineDrafted,
    ).toBeUndefined();
  });
});

describe('image_validity', () => {
  test('judges a multipart image', async () => {
    const { status, body } = await postImage(imageForm(photo));
    expect(status).toBe(200);
    expect(body).toMatchObject({ isValid: true, issues: [], issueDetails: [], measured: { widthPx: 640 } });
    expect(body.score).toBeGreaterThan(0.7);
  });

  test('judges base64 in JSON exactly like multipart', async () => {
    const inJson = await postJson('/image_validity', { imageData: photo.toString('base64') });
    const multipart = await postImage(imageForm(photo));
    expect(inJson.body).toEqual(multipart.body);
  });

  test('calls damaged and foreign bytes invalid, with a reason, instead of failing', async () => {
    const damaged = await postImage(imageForm(photo.subarray(0, 10_000)));
    expect([damaged.status, damaged.body.isValid, damaged.body.issues]).toEqual([200, false, ['unreadable']]);
    const text = await postImage(imageForm(Buffer.from('hello')));
    expect([text.status, text.body.isValid, text.body.issues]).toEqual([200, false, ['unsupported_format']]);
  });

  test.each([
    ['en', /too small/],
    ['es-MX,en;q=0.5', /demasiado pequeña/],
    ['fr, he;q=0.8, en;q=0.1', /קטנה מדי/],
    ['ar', /صغيرة جدًا/],
    ['fr', /too small/],
    ['he;q=0', /too small/],
  ])('says what is wrong in the language of %s', async (language, text) => {
    const { body } = await postImage(imageForm(await skinPhoto({ width: 180, height: 150 })), {
      'accept-language': language,
    });
    expect(body.issueDetails).toEqual([{ code: 'resolution_too_low', text: expect.stringMatching(text) }]);
  });

  test('expects no skin colour of a dermoscopic picture', async () => {
    const blue = encodePng(
      mapPixels(640, 480, (x, y) => [40 + ((x * 7 + y * 3) % 60), 80, 160 + ((x * y) % 70)]),
    );
    const form = imageForm(blue);
    form.append('kind', 'dermoscopic');
    const asPhoto = await postImage(imageForm(blue));
    const asDermoscopic = await postImage(form);
    expect(asPhoto.body.issues).toContain('no_skin_detected');
    expect(asDermoscopic.body.issues).not.toContain('no_skin_detected');
  });

  test('refuses more than 50 megapixels from the header', async () => {
    const { status, body } = await postImage(imageForm(blankPng(10_000, 10_000)));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  });

  test('judges many images at once, all the same', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => postImage(imageForm(photo))));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('keeps answering other calls while it decodes a large picture', async () => {
    const order: string[] = [];
    const large = postImage(imageForm(blankPng(7_000, 7_000))).then(({ status }) =>
      order.push(`image ${status}`),
    );
    const small = send('/healthy').then(({ status }) => order.push(`healthy ${status}`));
    await Promise.all([large, small]);
    expect(order).toEqual(['healthy 200', 'image 200']);
  });
});

describe('bad input gets a problem, a reason and an open connection', () => {
  const json = { 'content-type': 'application/json' };
  const cases: [name: string, path: string, init: RequestInit, status: number, code: string][] = [
    ['malformed JSON', '/red_flags', { headers: json, body: '{"a":' }, 400, 'malformed_json'],
    ['JSON that is no object', '/red_flags', { headers: json, body: '[]' }, 400, 'malformed_json'],
    ['null', '/predict_diagnosis', { headers: json, body: 'null' }, 400, 'malformed_json'],
    [
      'bytes that are not UTF-8',
      '/red_flags',
      { headers: json, body: new Uint8Array([0x22, 0xff, 0x22]) },
      400,
      'malformed_json',
    ],
    ['no body', '/red_flags', { headers: json }, 400, 'malformed_json'],
    ['malformed JSON', '/next_question', { headers: json, body: '{"a":' }, 400, 'malformed_json'],
    ['JSON that is no object', '/next_question', { headers: json, body: '[]' }, 400, 'malformed_json'],
    ['JSON that is no object', '/triage', { headers: json, body: '"x"' }, 400, 'malformed_json'],
    [
      'the wrong type for a question',
      '/next_question',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      'unsupported_media_type',
    ],
    [
      'an anamnesis over 64 KiB',
      '/next_question',
      { headers: json, body: JSON.stringify({ a: 'x'.repeat(66_000) }) },
      413,
      'payload_too_large',
    ],
    ['an unknown field', '/triage', { headers: json, body: '{"symptom":{}}' }, 422, 'anamnesis_invalid'],
    [
      'the wrong type for an anamnesis',
      '/red_flags',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      'unsupported_media_type',
    ],
    ['no type', '/red_flags', { body: new Uint8Array([0x7b, 0x7d]) }, 415, 'unsupported_media_type'],
    [
      'a compressed body',
      '/red_flags',
      { headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' },
      415,
      'unsupported_media_type',
    ],
    [
      'the wrong type for an image',
      '/image_validity',
      { headers: { 'content-type': 'image/png' }, body: 'x' },
      415,
      'unsupported_media_type',
    ],
    [
      'an anamnesis over 64 KiB',
      '/red_flags',
      { headers: json, body: JSON.stringify({ a: 'x'.repeat(66_000) }) },
      413,
      'payload_too_large',
    ],
    [
      'no boundary',
      '/image_validity',
      { headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
      400,
      'invalid_multipart',
    ],
    [
      'truncated multipart',
      '/image_validity',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
      },
      400,
      'invalid_multipart',
    ],
    [
      'base64 that is none',
      '/image_validity',
      { headers: json, body: '{"imageData":"not base64!"}' },
      400,
      'validation_error',
    ],
    [
      'an address instead of an image',
      '/image_validity',
      { headers: json, body: '{"imageUrl":"https://example.test/a.png"}' },
      400,
      'validation_error',
    ],
    [
      'a deadline that is no number',
      '/red_flags',
      { headers: { ...json, 'x-deadline-ms': 'soon' }, body: '{}' },
      400,
      'invalid_deadline',
    ],
    ['a route of the gateway', '/api/ai/triage', { headers: json, body: '{}' }, 404, 'not_found'],
    ['an unknown route', '/', { headers: json, body: '{}' }, 404, 'not_found'],
  ];

  test.each(cases)('%s, %s', async (_name, path, init, status, code) => {
    const { status: actual, headers, body } = await send(path, { method: 'POST', ...init });
    expect([actual, body.code, body.status]).toEqual([status, code, status]);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body.notice).toMatch(/not for clinical use/i);
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(JSON.stringify(body)).not.toMatch(/\.ts:\d|node_modules/);
    expect((await send('/healthy')).status).toBe(200);
  });

  test('wrong fields are named by pointer', async () => {
    const { status, body } = await postJson('/predict_diagnosis', {
      patient: { gender: 'femal' },
      lesion: { colours: ['red'] },
    });
    expect([status, body.code]).toEqual([422, 'anamnesis_invalid']);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/patient/gender', code: 'invalid_value' }),
      expect.objectContaining({ pointer: '/lesion/colours', code: 'unknown_field' }),
    ]);
  });

  test('an image over 15 MB is 413 in both forms', async () => {
    const huge = Buffer.alloc(15 * 1024 * 1024 + 1);
    expect((await postImage(imageForm(huge))).status).toBe(413);
    expect((await postImage(imageForm(Buffer.alloc(20 * 1024 * 1024)))).status).toBe(413);
    expect((await postJson('/image_validity', { imageData: huge.toString('base64') })).status).toBe(413);
  });

  test('two images, none, or a part of another name are 400', async () => {
    const two = imageForm(photo);
    two.append('image', new Blob([new Uint8Array(photo)]), 'second.png');
    for (const form of [two, new FormData(), imageForm(photo, 'picture')]) {
      const { status, body } = await postImage(form);
      expect([status, body.code]).toEqual([400, 'invalid_multipart']);
    }
  });

  test('a wrong method is 405 and names the right one', async () => {
    const { status, headers } = await send('/red_flags');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect((await send('/healthy', { method: 'POST' })).headers.get('allow')).toBe('GET');
  });
});

describe('headers', () => {
  test('x-request-id is echoed when it is well formed and replaced when it is not', async () => {
    const echoed = await postJson('/red_flags', {}, { 'x-request-id': 'abc-1.2_3' });
    expect(echoed.headers.get('x-request-id')).toBe('abc-1.2_3');
    const replaced = await postJson('/red_flags', {}, { 'x-request-id': 'a b<script>' });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a key that is set must come as bearer token, except for /healthy', async () => {
    const call = (authorization?: string) =>
      postJson('/red_flags', {}, authorization === undefined ? {} : { authorization }, locked);
    for (const wrong of [
      undefined,
      'Bearer',
      'Bearer wrong',
      'Basic Y29ycmVjdA==',
      'correct horse battery staple',
    ]) {
      const { status, headers } = await call(wrong);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect((await call('Bearer correct horse battery staple')).status).toBe(200);
    expect((await send('/healthy', {}, locked)).body).toMatchObject({
      status: 'healthy',
      diseases: 66,
      redFlagRules: redFlagRules.length,
      questions: new Set(flow.map(({ id }) => id)).size,
    });
  });

  test('x-deadline-ms ends a slow call with 504, and the next one is answered', async () => {
    const slow = await postImage(imageForm(blankPng(7_000, 7_000)), { 'x-deadline-ms': '100' });
    expect([slow.status, slow.body.code]).toEqual([504, 'deadline_exceeded']);
    expect((await postJson('/red_flags', {}, { 'x-deadline-ms': '0' })).status).toBe(504);
    expect((await postImage(imageForm(photo), { 'x-deadline-ms': '30000' })).status).toBe(200);
  });

  test('x-deadline-ms ends a call whose body never comes', async () => {
    const call = httpRequest(`${service.url}/red_flags`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 1000, 'x-deadline-ms': 200 },
    });
    call.write('{');
    const [response] = (await once(call, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(504);
    call.destroy();
  });
});

test('a caller who hangs up in the middle leaves the service well', async () => {
  for (const bytes of [blankPng(7_000, 7_000), photo]) {
    const call = httpRequest(`${service.url}/image_validity`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': bytes.length + 1000 },
    });
    call.on('error', () => {});
    call.write('--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n');
    await new Promise((resolve) => call.write(bytes, resolve));
    call.destroy();
  }
  expect((await postImage(imageForm(photo))).body.isValid).toBe(true);
});

describe('as a process', () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const run = (...args: string[]) =>
    spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

  test('says where it listens in one line, finishes what is under way on SIGTERM and exits with 0', async () => {
    const child = run('--port', '0');
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child.stdout, 'data');
    const url =
      /^Reference AI service \(not for clinical use\) listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(
        output,
      )?.[1];
    expect(url).toBeDefined();
    const form = Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nno picture\r\n--b--\r\n',
    );
    const call = httpRequest(`${url}/image_validity`, {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': form.length,
        expect: '100-continue',
      },
    });
    call.flushHeaders();
    // The service has the head of the request: it is under way, and its body follows after the signal.
    await once(call, 'continue');
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.end(form);
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    response.resume();
    expect(await exit).toEqual([0, null]);
    expect(output.split('\n')).toHaveLength(2);
  });

  test('refuses a port that is none, and one that is taken, with a reason', async () => {
    const taken = new URL(service.url).port;
    for (const [port, reason] of [
      ['70000', /is not a port/],
      [taken, /EADDRINUSE/],
    ] as const) {
      const child = run('--port', port);
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      expect(await once(child, 'exit')).toEqual([1, null]);
      expect(errors).toMatch(reason);
    }
  });
});
