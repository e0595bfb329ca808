import { setTimeout as sleep } from 'node:timers/promises';
import { multipart, type Part } from '../support/multipart.ts';
import { filePart, shownFile } from './files.ts';
import { demo, password } from './people.ts';
import { type KeptReply, mapTexts, PLACE, valueAt } from './places.ts';
import type { NamedScenario } from './read-scenarios.ts';
import type { Ask, Earlier, FormValue, Player, UploadedFile } from './scenario.ts';

/** What scenarios are played on: a running app with the demo users, and what they leave there. */
export interface Theatre {
  request(path: string, init: RequestInit & { duplex?: 'half' }): Promise<Response>;
  /** The app's log so far, by line: in development it has the tokens that mails would carry. */
  output: readonly string[];
  drainOutbox(): Promise<void>;
  /** Runs a statement as the owner of the tables, in the default tenant. */
  sql(text: string): Promise<void>;
}

/** What a request may refer to. */
export interface Scope {
  as: Player;
  replies: Map<string, KeptReply>;
  /** Length of the log when the first request of it was sent. */
  mark: number;
}

export interface Sending {
  /** Another instance of the app. */
  on?: Pick<Theatre, 'request'>;
  /** Instead of the player's; null for none. */
  token?: string | null;
  /** Body and content type instead of the request's. */
  stream?: { body: ReadableStream; type: string };
  requestId?: string;
  /** The client's, by which networks are told apart; one of its own where absent. */
  address?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** As OpenAPI shows the body that was sent; undefined without one. */
  sent: { type: string; value: unknown } | undefined;
  target: string;
}

let count = 0;

/** An address in a network that no other request comes from. */
export function freshNetwork(): string {
  count += 1;
  return `10.${(count >> 8) & 255}.${count & 255}.7`;
}

export function createStage(theatre: Theatre, scenarios: readonly NamedScenario[]) {
  const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  const lasting = new Map<string, Promise<KeptReply>>();
  const untouched = new Map<string, Promise<Scope>>();
  // Digits that differ between two runs on one database as well.
  let stamp = Date.now();

  function scenarioOf(operation: string): NamedScenario {
    const found = byName.get(operation);
    if (found === undefined) throw new Error(`There is no scenario of ${operation}.`);
    return found;
  }

  /** The reply with a player's tokens: of the demo user's login, or of the newcomer's registration. */
  async function tokensOf(player: Player, { replies }: Scope): Promise<KeptReply> {
    if (player === 'anonymous') throw new Error('A caller without a token has no reply.');
    if (player !== 'newcomer') {
      const known = lasting.get(player) ?? call('api/auth/login', demo[player]);
      lasting.set(player, known);
      return await known;
    }
    const email = `newcomer-${(stamp += 1)}@example.org`;
    const known =
      replies.get(player) ?? (await call('api/auth/register', { email, password, role: 'patient' }));
    replies.set(player, known);
    return known;
  }

  async function call(path: string, json: object): Promise<KeptReply> {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': freshNetwork() };
    const reply = await theatre.request(`/${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text}`);
    return { headers: reply.headers, body: JSON.parse(text) };
  }

  /** Sends what has to come before `ask`, and puts its state in place. */
  async function setUp(ask: Ask, player: Player, from?: Scope): Promise<Scope> {
    const scope: Scope = {
      as: ask.as ?? player,
      replies: new Map(from?.as === (ask.as ?? player) ? keptNewcomer(from) : []),
      mark: from?.mark ?? theatre.output.length,
    };
    if (scope.as !== 'anonymous') await tokensOf(scope.as, scope);
    for (const [name, given] of Object.entries(ask.after ?? {})) {
      const earlier: Earlier =
        typeof given === 'string'
          ? { ...Object.values(scenarioOf(given).good)[0], as: scope.as, operation: given }
          : { as: scope.as, ...given };
      const own = await setUp(earlier, scope.as, scope);
      // A request that is written out refers to what its own request refers to.
      if (typeof given !== 'string')
        for (const [key, reply] of scope.replies) if (!own.replies.has(key)) own.replies.set(key, reply);
      if (earlier.isHeld === true) {
        void send(earlier.operation, earlier, own).catch(() => undefined);
        // Until it has arrived, on a busy machine too.
        await sleep(300);
        continue;
      }
      const { status, headers, text } = await send(earlier.operation, earlier, own);
      if (status >= 300) throw new Error(`${name}: ${earlier.operation} answered ${status}: ${text}`);
      scope.replies.set(name, { headers, body: isJson(headers) ? JSON.parse(text) : text });
    }
    for (const statement of ask.state ?? []) await theatre.sql(await fill(statement, scope));
    return scope;
  }

  /**
   * What comes before a request that is refused, and so leaves everything as it is: set up once for all of an operation
   * that begin alike.
   */
  async function setUpOnce(operation: string, ask: Ask, player: Player): Promise<Scope> {
    const key = JSON.stringify([operation, ask.as, ask.after, ask.state]);
    const scope = untouched.get(key) ?? setUp(ask, player);
    untouched.set(key, scope);
    return await scope;
  }

  async function fill(text: string, scope: Scope): Promise<string> {
    let filled = text;
    for (const [place = '', what = ''] of text.matchAll(PLACE))
      filled = filled.replace(place, await valueOf(what, scope));
    return filled;
  }

  async function valueOf(what: string, scope: Scope): Promise<string> {
    if (what === '$timestamp') return String((stamp += 1));
    const prefix = mailed[what];
    if (prefix !== undefined) return await mailedToken(prefix, scope);
    const [name = ''] = what.split('.');
    const reply = isPlayer(name) ? await tokensOf(name, scope) : scope.replies.get(name);
    if (reply === undefined) throw new Error(`Nothing before the request is called ${name}.`);
    return valueAt(name, what.slice(name.length + 1), reply);
  }

  async function mailedToken(prefix: string, { mark, replies }: Scope): Promise<string> {
    const pattern = new RegExp(`${prefix}_[\\w-]{43}`);
    // Without a mail server the reply itself has the token of an invitation.
    const replied = [...replies.values()].map(({ body }) => pattern.exec(JSON.stringify(body))?.[0]);
    const inReply = replied.findLast((token) => token !== undefined);
    if (inReply !== undefined) return inReply;
    await theatre.drainOutbox();
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(20)) {
      const line = theatre.output.slice(mark).findLast((each) => pattern.test(each));
      if (line !== undefined) return pattern.exec(line)?.[0] ?? '';
    }
    throw new Error(`The app has logged no ${prefix} token.`);
  }

  /** Sends a request whose `after` and `state` are in place. */
  async function send(operation: string, ask: Ask, scope: Scope, sending: Sending = {}): Promise<Answer> {
    const { endpoint } = scenarioOf(operation);
    const text = (each: string) => fill(each, scope);
    // `{*name}` takes the rest of the path, slashes included.
    const path = await replaced(endpoint.route, /\{\*?(\w+)\}/g, async (name) => {
      const value = await text(ask.params?.[name] ?? '');
      const isRest = endpoint.route.includes(`{*${name}}`);
      return isRest ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
    });
    const search = new URLSearchParams((await mapTexts(ask.query ?? {}, text)) as Record<string, string>);
    const target = `/${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
    const token =
      sending.token === undefined && endpoint.auth !== 'public' && scope.as !== 'anonymous'
        ? valueAt(scope.as, 'response.body.access_token', await tokensOf(scope.as, scope))
        : sending.token;
    const { body, type, sent } = await bodyOf(ask, text);
    const reply = await (sending.on ?? theatre).request(target, {
      method: endpoint.method,
      headers: {
        'user-agent': 'DermagatePortal/1.0',
        'x-forwarded-for': sending.address ?? freshNetwork(),
        ...(sending.requestId !== undefined && { 'x-request-id': sending.requestId }),
        ...(typeof token === 'string' && { authorization: `Bearer ${token}` }),
        ...((sending.stream?.type ?? type) !== undefined && {
          'content-type': (sending.stream?.type ?? type) as string,
        }),
        ...((await mapTexts(ask.headers ?? {}, text)) as Record<string, string>),
      },
      ...(sending.stream === undefined
        ? body !== undefined && { body }
        : { body: sending.stream.body, duplex: 'half' }),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text(), sent, target };
  }

  return { setUp, setUpOnce, send, fill, tokensOf };
}

export type Stage = ReturnType<typeof createStage>;

const mailed: Readonly<Record<string, string>> = {
  resetToken: 'dgp',
  verificationToken: 'dgv',
  invitationToken: 'dgi',
};

const isPlayer = (name: string): name is Exclude<Player, 'anonymous'> => name === 'newcomer' || name in demo;

export const isJson = (headers: Headers): boolean =>
  /^application\/(?:problem\+)?json\b/.test(headers.get('content-type') ?? '');

function keptNewcomer({ replies }: Scope): [string, KeptReply][] {
  const newcomer = replies.get('newcomer');
  return newcomer === undefined ? [] : [['newcomer', newcomer]];
}

interface Body {
  body?: string | Uint8Array<ArrayBuffer>;
  type?: string;
  sent: Answer['sent'];
}

async function bodyOf(
  { json, form, raw, type }: Ask,
  text: (each: string) => Promise<string>,
): Promise<Body> {
  if (raw !== undefined) return { body: raw, type: type ?? 'application/json', sent: undefined };
  if (form !== undefined) {
    const filled = (await mapTexts(form, text)) as NonNullable<Ask['form']>;
    const { body, contentType } = multipart(await Promise.all(Object.entries(filled).map(partOf)));
    return { body, type: contentType, sent: { type: 'multipart/form-data', value: shownForm(filled) } };
  }
  if (json === undefined) return { sent: undefined };
  const value = await mapTexts(json, text);
  return { body: JSON.stringify(value), type: 'application/json', sent: { type: 'application/json', value } };
}

async function partOf([name, value]: [string, FormValue]): Promise<Part> {
  if (isFile(value)) return await filePart(name, value);
  return { name, body: typeof value === 'string' ? value : JSON.stringify(value) };
}

export const isFile = (value: FormValue): value is UploadedFile =>
  typeof value === 'object' && 'file' in value && Object.keys(value).length === 1;

/** A form as the object that OpenAPI describes it with: JSON parts as values, files as curl names them. */
function shownForm(form: NonNullable<Ask['form']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => {
      if (!isFile(value)) return [name, value];
      return [name, name === 'images' ? [shownFile(value)] : shownFile(value)];
    }),
  );
}

async function replaced(
  text: string,
  pattern: RegExp,
  by: (name: string) => Promise<string>,
): Promise<string> {
  let done = text;
  for (const [found, name = ''] of text.matchAll(pattern)) done = done.replace(found, await by(name));
  return done;
}
