// Every endpoint and timer of the app once, in its usual and its costly ways, so that every query of theirs runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequestCheck, type Probe } from '../contract/request-faults.ts';
import type { Host } from '../../packages/functions-host/host.ts';

export type Step = { functions: readonly string[]; run: () => Promise<void> };

/** Functions without a step, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  getHealthy: 'asks no database',
  getOpenApiDocument: 'asks no database',
  getDocsPage: 'asks no database',
  getDocsAsset: 'asks no database',
  getMetrics: 'asks no database',
  'zz-not-found': 'asks no database',
};

type Tokens = { access_token: string; refresh_token: string };
type Options = { json?: unknown; form?: FormData; token?: string; method?: string; expect?: number };

const PASSWORD = 'a long enough password';
const anamnesis = readFileSync(
  join(import.meta.dirname, '..', '..', 'run', 'demo', 'anamnesis.json'),
  'utf8',
);

/**
 * @param output what the app has written so far: in development it logs the tokens that mails would carry.
 * @param photo a JPEG.
 */
export function tour(host: Host, output: readonly string[], photo: Uint8Array<ArrayBuffer>): Step[] {
  let contract: ReturnType<typeof createRequestCheck> | undefined;
  /** @throws for a request that the app would take although it is not what it publishes. */
  async function refuseMisspelt(probe: Probe): Promise<void> {
    contract ??= createRequestCheck(
      (await (await fetch(new URL('/api/openapi.json', host.url))).json()) as Record<string, unknown>,
    );
    const faults = contract.faultsOf(probe);
    if (faults.length > 0) throw new Error(`dev/tools/query-plans/tour.ts: ${faults.join('; ')}`);
  }
  async function ask<Reply>(path: string, options: Options = {}): Promise<Reply> {
    const { json, form, token, expect = 200 } = options;
    const body = form ?? (json === undefined ? null : JSON.stringify(json));
    const method = options.method ?? (body === null ? 'GET' : 'POST');
    await refuseMisspelt({ method, target: path, body: form ?? json });
    const response = await fetch(new URL(path, host.url), {
      method,
      headers: {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
    });
    const text = await response.text();
    if (response.status !== expect)
      throw new Error(`${path} answered ${response.status}, not ${expect}: ${text}`);
    return (
      response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text
    ) as Reply;
  }
  const people = { patient: 'plans-patient@example.org', admin: 'plans-admin@example.org' };
  const credentials = { email: people.patient, password: PASSWORD };
  const logIn = async () => (own = await ask<Tokens>('/api/auth/login', { json: credentials }));
  let own: Tokens = { access_token: '', refresh_token: '' };
  let earlier = own;
  let admin = own;
  let imageUrl = '';
  let sessions: { id: string; current: boolean }[] = [];
  const withToken = (options: Options = {}): Options => ({ ...options, token: own.access_token });
  const photoForm = (field: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(field, new Blob([photo], { type: 'image/jpeg' }), 'skin.jpg');
    return form;
  };
  const loggedToken = async (prefix: string) => {
    const pattern = new RegExp(`${prefix}_[\\w-]{43}`);
    for (let tries = 0; tries < 600; tries++, await sleep(50)) {
      const found = output.findLast((line) => pattern.test(line));
      if (found !== undefined) return pattern.exec(found)?.[0] ?? '';
    }
    throw new Error(`The app has logged no ${prefix} token.`);
  };

  const step = (name: string, run: () => Promise<unknown>, ...more: string[]): Step => ({
    functions: [name, ...more],
    run: async () => void (await run()),
  });
  const asked = (name: string, path: string, options: () => Options = withToken) =>
    step(name, () => ask(path, options()));
  const register = (role: string, email: string, more: object = {}) =>
    ask<Tokens>('/api/auth/register', { json: { email, password: PASSWORD, role, ...more }, expect: 201 });

  return [
    asked('getHealth', '/health', () => ({})),
    step('registerUser', async () => {
      own = await register('patient', people.patient);
      earlier = own;
      await register('physician', 'plans-physician@example.org');
      await ask('/api/auth/register', { json: { ...credentials, role: 'patient' }, expect: 409 });
    }),
    step('logIn', async () => {
      await ask('/api/auth/login', {
        json: { ...credentials, password: 'not that one at all' },
        expect: 401,
      });
      await ask('/api/auth/login', {
        json: { ...credentials, email: 'nobody@example.org' },
        expect: 401,
      });
      await logIn();
    }),
    asked('getMe', '/api/auth/me'),
    step('refreshSession', async () => {
      const json = { refresh_token: own.refresh_token };
      own = await ask<Tokens>('/api/auth/refresh', { json });
      await sleep(400);
      // Beyond the skew that counts as a race: reuse, which ends the session.
      await ask('/api/auth/refresh', { json, expect: 401 });
      await logIn();
    }),
    step('listSessions', async () => {
      ({ sessions } = await ask<{ sessions: typeof sessions }>('/api/auth/sessions', withToken()));
    }),
    step('endSession', async () => {
      const other = sessions.find(({ current }) => !current);
      await ask(`/api/auth/sessions/${other?.id}`, withToken({ method: 'DELETE', expect: 204 }));
    }),
    step('storeImages', async () => {
      const headers = () => withToken({ form: photoForm('images'), expect: 201 });
      const { images } = await ask<{ images: { url: string }[] }>('/api/common/store_images', headers());
      await ask('/api/common/store_images', headers());
      imageUrl = images[0]?.url ?? '';
    }),
    step('getImage', async () => {
      await ask(imageUrl, withToken());
      await ask(`${imageUrl}?variant=thumbnail`, withToken());
    }),
    asked('getNextQuestion', '/api/ai/next_question', () => withToken({ json: {} })),
    asked('predictDiagnosis', '/api/ai/predict_diagnosis', () =>
      withToken({ json: JSON.parse(anamnesis) as object }),
    ),
    asked('checkRedFlags', '/api/ai/red_flags', () => withToken({ json: JSON.parse(anamnesis) as object })),
    asked('triageCase', '/api/ai/triage', () => withToken({ json: JSON.parse(anamnesis) as object })),
    asked('checkImage', '/api/ai/image_validity', () => withToken({ json: { imageUrl } })),
    asked('createDiagnosis', '/api/diagnosis', () => withToken({ form: photoForm('image', { anamnesis }) })),
    step(
      'inviteUser',
      async () => {
        admin = await register('admin', people.admin);
        const invite = () =>
          ask<{ invitation_token: string }>('/api/auth/invitations', {
            json: { email: 'plans-guest@example.org', role: 'patient' },
            token: admin.access_token,
            expect: 201,
          });
        await invite();
        const { invitation_token } = await invite();
        await register('patient', 'plans-guest@example.org', { invitation_token });
      },
      'registerUser',
    ),
    step('listInvitations', async () => {
      await ask('/api/auth/invitations', { token: admin.access_token });
    }),
    step('revokeInvitation', async () => {
      const { uuid } = await ask<{ uuid: string }>('/api/auth/invitations', {
        json: { email: 'plans-withdrawn@example.org', role: 'patient' },
        token: admin.access_token,
        expect: 201,
      });
      const withdrawn = { method: 'DELETE', token: admin.access_token } as const;
      await ask(`/api/auth/invitations/${uuid}`, { ...withdrawn, expect: 204 });
      await ask(`/api/auth/invitations/${uuid}`, { ...withdrawn, expect: 404 });
    }),
    step('resendVerification', () =>
      ask('/api/auth/verify-email/resend', { json: { email: people.patient } }),
    ),
    step('verifyEmail', async () => {
      await ask('/api/auth/verify-email', { json: { token: await loggedToken('dgv') } });
    }),
    step('requestPasswordReset', async () => {
      await ask('/api/auth/request-reset', { json: { email: people.patient } });
      await loggedToken('dgp');
    }),
    step('resetPassword', async () => {
      const json = { token: await loggedToken('dgp'), new_password: `${PASSWORD} 2` };
      await ask('/api/auth/reset-password', { json });
      credentials.password = json.new_password;
      await logIn();
    }),
    step('changePassword', async () => {
      const json = { current_password: credentials.password, new_password: `${PASSWORD} 3` };
      await ask('/api/auth/change-password', withToken({ json }));
      credentials.password = json.new_password;
    }),
    step('logOut', async () => {
      await ask('/api/auth/logout', { json: { refresh_token: own.refresh_token }, expect: 204 });
      await ask('/api/auth/logout', { json: { refresh_token: earlier.refresh_token }, expect: 204 });
    }),
    step('logOutEverywhere', async () => {
      await logIn();
      await ask('/api/auth/logout-all', withToken({ method: 'POST', expect: 204 }));
    }),
    // None of the seeded images has a blob; they are too young for that to matter.
    ...['drainOutbox', 'cleanUp', 'keepPartitions', 'reconcileImages'].map((name) =>
      step(name, () => host.runTimer(name)),
    ),
  ];
}
