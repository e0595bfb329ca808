// One call of a function: arguments → pre hooks → handler → post hooks → response.
// The order and the error rules are those of Azure's worker (eventHandlers/InvocationHandler.ts).
import type { AppState, Handler, Level } from './core-module.ts';
import { systemError } from './core-module.ts';
import type { Cookie, FromWorker, RegisteredFunction, RequestHead, ToWorker } from './messages.ts';

type Invoke = Extract<ToWorker, { type: 'invoke' }>;
type Reply = { message: FromWorker; body?: Uint8Array };
type RpcCookie = Record<string, unknown> & { name: string; value: string; sameSite: Cookie['sameSite'] };
type RpcHttp = {
  statusCode: string;
  headers: Record<string, string>;
  cookies: RpcCookie[];
  body?: { bytes?: Uint8Array } | null;
};

/** Data that hooks share across the whole app; each invocation has its own `hookData` beside it. */
export const appHookData: Record<string, unknown> = {};

export async function runHooks(
  app: AppState,
  name: keyof AppState['hooks'],
  context: unknown,
): Promise<void> {
  for (const hook of app.hooks[name]) await hook(context);
}

/** A context whose listed properties can be read but not replaced. */
export function hookContext<T extends object>(readOnly: Record<string, unknown>, writable: T): T {
  for (const [key, value] of Object.entries(readOnly)) {
    Object.defineProperty(writable, key, {
      enumerable: true,
      get: () => value,
      set: () => {
        throw systemError(new TypeError(`Cannot assign to read only property '${key}'`));
      },
    });
  }
  return writable;
}

export async function invoke(
  app: AppState,
  call: Invoke,
  body: Buffer,
  log: (level: Level, category: string, message: string, invocationContext?: unknown) => void,
): Promise<Reply> {
  const registered = app.functions.get(call.functionName);
  if (!registered || !app.model) {
    throw new Error(`Function code for '${call.functionName}' is not loaded and cannot be invoked.`);
  }
  const { metadata } = registered;
  const core = {
    invocationId: call.id,
    metadata,
    request: request(call, body, metadata),
    state: undefined as string | undefined,
    log: (level: Level, category: string, message: string) =>
      log(level, category, message, invocationContext),
  };
  let invocationContext: unknown;
  const model = await app.model.getInvocationModel(core);
  const args = await model.getArguments();
  invocationContext = args.context;
  const shared = { hookData: {}, appHookData, invocationContext };

  const pre = hookContext(shared, { inputs: args.inputs, functionCallback: registered.handler as Handler });
  core.state = 'preInvocationHooks';
  await runHooks(app, 'preInvocation', pre);

  const post = hookContext(shared, { inputs: pre.inputs, result: null as unknown, error: null as unknown });
  core.state = 'invocation';
  try {
    post.result = await model.invokeFunction(invocationContext, pre.inputs, pre.functionCallback);
  } catch (error) {
    post.error = error;
  }
  core.state = 'postInvocationHooks';
  await runHooks(app, 'postInvocation', post);
  core.state = undefined;
  if (post.error !== null && post.error !== undefined) throw post.error;

  const { returnValue } = await model.getResponse(invocationContext, post.result);
  return reply(call.id, returnValue?.http as RpcHttp | undefined);
}

function request(call: Invoke, body: Buffer, metadata: RegisteredFunction): object {
  const name = Object.keys(metadata.bindings).find((key) => /trigger$/i.test(metadata.bindings[key]!.type));
  const data = 'http' in call ? { http: httpData(call.http, body) } : { json: call.data };
  return { invocationId: call.id, inputData: [{ name, data }], triggerMetadata: {} };
}

function httpData(head: RequestHead, body: Buffer): object {
  return {
    method: head.method,
    url: head.url,
    nullableHeaders: nullable(head.headers),
    nullableQuery: nullable(head.query),
    nullableParams: nullable(head.params),
    body: body.length > 0 ? { bytes: body } : undefined,
  };
}

function nullable(values: Record<string, string>): Record<string, { value: string }> {
  const result: Record<string, { value: string }> = {};
  for (const key in values) result[key] = { value: values[key]! };
  return result;
}

function reply(id: string, http: RpcHttp | undefined): Reply {
  if (!http) return { message: { type: 'empty', id } };
  const { statusCode, headers, cookies, body } = http;
  return {
    message: { type: 'reply', id, status: Number(statusCode), headers, cookies: cookies.map(plainCookie) },
    body: body?.bytes ?? new Uint8Array(),
  };
}

/** `{path: {value: '/'}}` → `{path: '/'}`; a time stamp is `{value: {seconds}}`. */
function plainCookie(cookie: RpcCookie): Cookie {
  const plain: Record<string, unknown> = {};
  for (const [key, wrapped] of Object.entries(cookie)) {
    const value =
      typeof wrapped === 'object' && wrapped !== null && 'value' in wrapped ? wrapped.value : wrapped;
    if (value === undefined || value === null) continue;
    plain[key] = typeof value === 'object' ? (value as { seconds: number }).seconds : value;
  }
  return plain as Cookie;
}
