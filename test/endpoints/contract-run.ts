import { SignJWT } from 'jose';
import { createRequestCheck } from '../../dev/tools/contract/request-faults.ts';
import { problems } from '../../src/contract/problem-list.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { claimsOf, createTenant, register } from '../support/accounts.ts';
import type { TestApp } from '../support/app.ts';
import { contractOf } from '../support/contract-faults.ts';
import { mapTexts } from './places.ts';
import type { NamedScenario } from './read-scenarios.ts';
import { createRecording, type Recording } from './recording.ts';
import type { Ask, Good, Player } from './scenario.ts';
import { type Answer, createStage, type Scope, type Sending, type Theatre } from './stage.ts';
import type { Derived } from './derived.ts';

/** What is known of one operation so far. */
interface Played {
  recording: Recording;
  requested: Set<ProblemCode>;
  /** Ids of requests that were refused, and of those that succeeded. */
  refused: string[];
  succeeded: string[];
}

type Instances = Record<'usual' | 'strict' | 'withoutDatabase', Pick<Theatre, 'request'>>;

/** Plays scenarios on one app and its instances, and holds every reply against the OpenAPI document. */
export function createContractRun(
  app: TestApp,
  theatre: Theatre,
  instances: Instances,
  scenarios: readonly NamedScenario[],
  document: Record<string, unknown>,
) {
  const stage = createStage(theatre, scenarios);
  const contract = contractOf(document);
  const requests = createRequestCheck(document);
  const played = new Map<string, Played>();
  const strangers = new Map<Player, Promise<string>>();
  let count = 0;

  function of(scenario: NamedScenario): Played {
    const known = played.get(scenario.name) ?? {
      recording: createRecording(scenario),
      requested: new Set<ProblemCode>(),
      refused: [],
      succeeded: [],
    };
    played.set(scenario.name, known);
    return known;
  }

  async function send(
    scenario: NamedScenario,
    ask: Ask,
    scope: Scope,
    sending: Sending = {},
  ): Promise<Answer & { id: string }> {
    const id = `contract-${(count += 1)}`;
    const answer = await stage.send(scenario.name, ask, scope, { requestId: id, ...sending });
    const { method } = scenario.endpoint;
    const reply = { status: answer.status, headers: answer.headers, body: Buffer.from(answer.text) };
    const path = answer.target.replace(/\?.*$/, '');
    const faults = contract.replyFaults({ method, path }, reply);
    if (faults.length > 0) throw new Error(`${method} ${answer.target}: ${faults.join('; ')}`);
    return { ...answer, id };
  }

  async function good(scenario: NamedScenario, name: string, ask: Good): Promise<Answer> {
    const scope = await stage.setUp(ask, scenario.as);
    const answer = await send(scenario, ask, scope, { on: instances[ask.on ?? 'usual'] });
    const wanted = ask.status ?? scenario.endpoint.reply.status;
    if (answer.status !== wanted)
      throw new Error(`${wanted} was wanted, not ${answer.status} ${answer.text}`);
    const { method } = scenario.endpoint;
    const faults = requests.faultsOf({ method, target: answer.target, body: bodyOf(ask, answer) });
    if (faults.length > 0) throw new Error(faults.join('; '));
    const { recording, succeeded } = of(scenario);
    recording.good(name, ask, answer);
    if (ask.unaudited === undefined) succeeded.push(answer.id);
    return answer;
  }

  /** Expects a problem; @returns the JSON Pointers that it names. */
  async function refused(
    scenario: NamedScenario,
    code: ProblemCode,
    ask: Ask,
    scope: Scope,
    sending: Sending = {},
  ): Promise<string[]> {
    const { id, status, text } = await send(scenario, ask, scope, sending);
    const problem = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      code?: string;
      errors?: { pointer: string }[];
    };
    if (problem.code !== code || status !== problems[code].status)
      throw new Error(`${code} was wanted, and answered was ${status} ${text}`);
    const known = of(scenario);
    known.requested.add(code);
    known.refused.push(id);
    known.recording.problem(code, text);
    return (problem.errors ?? []).map(({ pointer }) => pointer);
  }

  async function derived(
    scenario: NamedScenario,
    { code, ask, on, caller, stream, first }: Derived,
  ): Promise<void> {
    const scope = await (first === undefined
      ? stage.setUpOnce(scenario.name, ask, scenario.as)
      : stage.setUp(ask, scenario.as));
    if (first !== undefined) {
      const { status, text } = await send(scenario, first.ask, scope);
      if (status >= 300) throw new Error(`The first request answered ${status} ${text}`);
      if (first.thenRunning === true) {
        await app.db.query(`UPDATE idempotency_keys SET state = 'running', reply = NULL, started_at = now()`);
      }
    }
    const token = await tokenOf(caller, scope);
    const headers = caller === 'basic' ? { ...ask.headers, authorization: 'Basic c2FtcGxl' } : ask.headers;
    await refused(scenario, code, { ...ask, ...(headers !== undefined && { headers }) }, scope, {
      on: instances[on ?? 'usual'],
      ...(token !== undefined && { token }),
      ...(stream !== undefined && { stream }),
    });
  }

  async function tokenOf(caller: Derived['caller'], scope: Scope): Promise<string | null | undefined> {
    if (caller === undefined) return undefined;
    if (caller === 'none' || caller === 'basic' || caller === 'anonymous') return null;
    if (caller === 'forged') return 'no.such.token';
    const player = caller === 'expired' ? 'patient' : caller;
    const token = tokenIn((await stage.tokensOf(player, { ...scope, replies: new Map() })).body);
    return caller === 'expired' ? await expired(token, app.env['SECRET_KEY'] ?? '') : token;
  }

  /** The token of an account in another tenant, with the role of a player. */
  function strangerTo(player: Player): Promise<string> {
    const role = player === 'admin' || player === 'physician' ? player : 'patient';
    const known = strangers.get(role) ?? newStranger(role);
    strangers.set(role, known);
    return known;
  }

  async function newStranger(role: string): Promise<string> {
    const tenant = `elsewhere-${role}`;
    await createTenant(app, tenant);
    return (await register(app, { role, tenant })).access_token;
  }

  /** The request with every place filled in, for an app that can no longer be asked. */
  async function frozen(
    { params = {}, query = {}, headers = {}, json, ...ask }: Ask,
    scope: Scope,
  ): Promise<Ask> {
    const all = (await mapTexts({ params, query, headers, json }, (text) => stage.fill(text, scope))) as Ask;
    return { ...ask, ...all };
  }

  return { stage, of, send, good, refused, derived, strangerTo, frozen };
}

export type ContractRun = ReturnType<typeof createContractRun>;

const tokenIn = (body: unknown) => (body as { access_token: string }).access_token;

function bodyOf({ form }: Ask, { sent }: Answer): unknown {
  if (form === undefined) return sent?.value;
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    const isUpload = typeof value === 'object' && 'file' in value;
    data.append(
      name,
      isUpload ? new Blob(['bytes']) : typeof value === 'string' ? value : JSON.stringify(value),
    );
  }
  return data;
}

/** The token of the same user as it is a minute after its end. */
async function expired(token: string, secret: string): Promise<string> {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    alg: string;
  };
  const exp = Math.floor(Date.now() / 1000) - 60;
  const claims = { ...claimsOf(token), iat: exp - 1800, nbf: exp - 1800, exp };
  return await new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
}
