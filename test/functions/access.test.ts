import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { problems } from '../../src/contract/problem-list.ts';
import { register } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';

// Who may not come in, for every endpoint there is. No body is sent: the caller is looked at first.

const app = await testApp();
const [patient, physician] = await Promise.all([register(app), register(app, { role: 'physician' })]);

const guarded = endpoints.filter(({ auth }) => auth !== 'public' && auth !== 'optional');
const restricted = guarded.flatMap(({ name, auth }) => {
  if (auth === 'admin-level')
    return [[name, 'patient', patient] as const, [name, 'physician', physician] as const];
  return auth === 'physician-level' ? [[name, 'patient', patient] as const] : [];
});

function call(name: string, token?: string): Promise<Response> {
  const { method, route } = endpoints.find((each) => each.name === name) ?? { method: '', route: '' };
  const path = `/${route.replaceAll(/\{[^}]+\}/g, '0193a8f0-0000-7000-8000-000000000000')}`;
  return app.request(path, { method, ...(token !== undefined && { token }) });
}

async function expectProblem(reply: Response, code: keyof typeof problems) {
  expect(await reply.json()).toMatchObject({ code, status: problems[code].status });
  expect(reply.status).toBe(problems[code].status);
}

test('the list of guarded endpoints is not empty', () => {
  expect(guarded.map(({ name }) => name)).toEqual(expect.arrayContaining(['getMe', 'createDiagnosis']));
});

describe.each(guarded.map(({ name }) => name))('%s', (name) => {
  test('without a token: 401, with a bare challenge', async () => {
    const reply = await call(name);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="dermagate"');
    await expectProblem(reply, 'authentication_required');
  });

  test('with a token that is none of ours: 401', async () => {
    const reply = await call(name, 'eyJhbGciOiJub25lIn0.e30.');
    expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"');
    await expectProblem(reply, 'token_invalid');
  });
});

describe('a role that may not: 403', () => {
  test.each(restricted)('%s for a %s', async (name, _role, { access_token: token }) => {
    await expectProblem(await call(name, token), 'forbidden');
  });
});
