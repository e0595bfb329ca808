import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { problemsOf } from '../../src/lib/http/endpoint-problems.ts';
import { defaultBodyLimit } from '../../src/lib/http/parse-input.ts';
import type { Ask, FormValue, Instance, Player, Scenario } from './scenario.ts';
import { isFile, type Sending } from './stage.ts';

/** A refusal that follows from how an endpoint is declared. */
export interface Derived {
  code: ProblemCode;
  /** The good request, changed. */
  ask: Ask;
  on?: Instance;
  /** Another caller than the one who prepared the request. */
  caller?: Player | 'expired' | 'forged' | 'none' | 'basic';
  stream?: Sending['stream'];
  /** Sent before, under the same key. */
  first?: { ask: Ask; thenRunning?: boolean };
}

/** The first good request, which derived refusals change. */
export function baseOf({ good }: Scenario): Ask {
  const [base] = Object.values(good);
  if (base === undefined) throw new Error('A scenario has at least one good request.');
  const { headers: { 'idempotency-key': _key, ...headers } = {}, ...ask } = base;
  return { ...ask, headers };
}

/** The refusals of an endpoint that its declaration says all about, but for those of the scenario itself. */
export function derivedRefusals(scenario: Scenario): Derived[] {
  const { endpoint } = scenario;
  const codes = new Set(problemsOf(endpoint));
  const written = [...Object.values(scenario.mistakes ?? {}), ...Object.values(scenario.refusals ?? {})];
  const own = new Set(written.map(({ code }) => code));
  const base = baseOf(scenario);
  return [...callers(scenario, base), ...bodies(scenario, base), ...others(scenario, base)]
    .filter(
      ({ code }) =>
        codes.has(code) && (!own.has(code) || alwaysDerived.has(code) || code === endpoint.missing),
    )
    .filter(({ code }) => scenario.never?.[code] === undefined);
}

/** Also requested where the scenario has a refusal of this code: each is another case. */
const alwaysDerived = new Set<ProblemCode>(['forbidden', 'not_found', 'tenant_not_found']);

function callers({ endpoint }: Scenario, ask: Ask): Derived[] {
  const lower: Player[] = endpoint.auth === 'admin-level' ? ['patient', 'physician'] : ['patient'];
  const isOpen = endpoint.auth === 'any-unless-public-ai';
  return [
    { code: 'authentication_required', ask, caller: endpoint.auth === 'optional' ? 'basic' : 'none' },
    { code: 'token_invalid', ask, caller: 'forged' },
    { code: 'token_expired', ask, caller: 'expired' },
    ...lower.map((caller): Derived => ({ code: 'forbidden', ask, caller })),
    {
      code: 'tenant_not_found',
      ask: { ...ask, query: { ...ask.query, tenant: 'nowhere' } },
      caller: 'none',
      ...(isOpen && { on: 'strict' }),
    },
    { code: 'email_unverified', ask, caller: 'newcomer', on: 'strict' },
  ];
}

function bodies({ endpoint }: Scenario, { json: _json, form = {}, ...bare }: Ask): Derived[] {
  const { body, multipart, bodyLimit = defaultBodyLimit } = endpoint;
  const file = Object.keys(multipart?.files ?? {})[0] ?? '';
  const question = Object.entries(multipart?.fields ?? {}).find(([, field]) => field.json !== undefined)?.[0];
  const withFile = (value: FormValue) => ({ ...bare, form: { ...filled(form), [file]: value } });
  const type = multipart === undefined ? 'application/json' : 'multipart/form-data; boundary=sample';
  return [
    ...(body === undefined && question === undefined
      ? []
      : [
          {
            code: 'malformed_json' as const,
            ask:
              body === undefined
                ? { ...bare, form: { ...form, [question ?? '']: '{"patient": {' } }
                : { ...bare, raw: '{"email": ' },
          },
        ]),
    { code: 'validation_error', ask: { ...bare, json: [] } },
    { code: 'invalid_multipart', ask: { ...bare, form: { surprise: { file: 'photo' } } } },
    { code: 'length_required', ask: bare, stream: { type, body: new Blob(['{}']).stream() } },
    {
      code: 'payload_too_large',
      ask:
        multipart === undefined
          ? { ...bare, raw: ' '.repeat(bodyLimit + 1) }
          : withFile({ file: 'tooManyPixels' }),
    },
    {
      code: 'unsupported_media_type',
      ask: { ...bare, raw: 'email=alice', type: 'application/x-www-form-urlencoded' },
    },
    { code: 'invalid_image', ask: withFile({ file: 'notAnImage' }) },
  ];
}

/** Fields of a form, without its files. */
function filled(form: NonNullable<Ask['form']>): Record<string, FormValue> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => !isFile(value)));
}

function others({ endpoint }: Scenario, ask: Ask): Derived[] {
  const names = Object.keys((endpoint.params as { shape?: object } | undefined)?.shape ?? {});
  const nowhere = Object.fromEntries(names.map((name) => [name, randomUUID()]));
  const key = (value: string) => ({ ...ask, headers: { ...ask.headers, 'idempotency-key': value } });
  const changed = key('changed-content');
  const [field = ''] = Object.keys(ask.form ?? {});
  const { version: _version, ...json } = (ask.json ?? {}) as Record<string, unknown>;
  const { 'if-match': _tag, ...headers } = ask.headers ?? {};
  const withoutVersion = { ...ask, headers, ...(ask.json !== undefined && { json }) };
  const stale = { ...withoutVersion, headers: { ...headers, 'if-match': '"999999999"' } };
  return [
    { code: 'version_required', ask: withoutVersion },
    { code: 'version_conflict', ask: stale },
    ...(names.length === 0
      ? []
      : [{ code: endpoint.missing ?? 'not_found', ask: { ...ask, params: nowhere } }]),
    // What else a JSON body could say, its scenario knows.
    ...(ask.form === undefined
      ? []
      : [
          {
            code: 'idempotency_key_reused' as const,
            ask: { ...changed, form: { ...ask.form, [field]: { file: 'grey' as const } } },
            first: { ask: changed },
          },
        ]),
    {
      code: 'idempotency_in_progress',
      ask: key('still-running'),
      first: { ask: key('still-running'), thenRunning: true },
    },
  ];
}
