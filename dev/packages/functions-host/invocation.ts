// One call of a function: arguments → pre hooks → handler → post hooks → response.
// The order and the error rules are those of Azure's worker (eventHandlers/InvocationHandler.ts).
import { randomBytes } from 'node:crypto';
import { systemError } from './core-module.ts';
import type { AppState, HookName, Level } from './core-module.ts';
import type { Cookie, FromWorker, RegisteredFunction, RequestHead, ToWorker } from './wire.ts';

type Invoke = Extract<ToWorker, { type: 'invoke' }>;
type Outcome = { message: FromWorker; body?: Uint8Array | undefined };
type Log = (level: Level, category: string, message: string, invocationContext?: unknown) => void;

/** A handler's result as the library encodes it: wrapped values are `{ value }`, time stamps `{ value: { seconds } }`. */
type RpcHttp = {
  statusCode: string;
  headers: Record<string, string>;
  cookies: Record<string, unknown>[];
  body?: { bytes?: Uint8Array } | null;
};

export async function runHooks(app: AppState, name: HookName, context: object): Promise<void> {
  for (const hook of app.hooks[name]) await hook(context);
}

/** A hook's context: properties of `readOnly` cannot be replaced, those of `writable` can. */
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

export async function invoke(app: AppState, call: Invoke, body: Buffer, log: Log): Promise<Outcome> {
  const registered = app.functions.get(call.functionName);
  if (!registered || !app.model) {
    throw new Error(`Function code for '${call.functionName}' is not loaded and cannot be invoked.`);
  }
  const { metadata, handler } = registered;
  let invocationContext: unknown;
  const core = {
    invocationId: call.id,
    metadata,
    request: invocationRequest(call, body, metadata),
    state: undefined as string | undefined,
    log: (level: Level, category: string, message: string) =>
      log(level, category, message, invocationContext),
  };
  const model = await app.model.getInvocationModel(core);
  const { context, inputs } = await model.getArguments();
  invocationContext = context;
  const shared = { hookData: {}, appHookData: app.hookData, invocationContext };

  const pre = hookContext(shared, { inputs, functionCallback: handler });
  core.state = 'preInvocationHooks';
  await runHooks(app, 'preInvocation', pre);

  const post = hookContext(shared, { inputs: pre.inputs, result: null as unknown, error: null as unknown });
  core.state = 'invocation';
  try {
    post.result = await model.invokeFunction(context, pre.inputs, pre.functionCallback);
  } catch (error) {
    post.error = error;
  }

  core.state = 'postInvocationHooks';
  await runHooks(app, 'postInvocation', post);
  core.state = undefined;
  if (post.error !== null && post.error !== undefined) throw post.error;
  const { returnValue } = await model.getResponse(context, post.result);
  return outcome(call.id, returnValue?.http as RpcHttp | undefined);
}

function invocationRequest(call: Invoke, body: Buffer, { bindings }: RegisteredFunction): object {
  const name = Object.keys(bindings).find((key) => /trigger$/i.test(bindings[key]!.type));
  const isHttp = 'http' in call;
  return {
    invocationId: call.id,
    inputData: [{ name, data: isHttp ? { http: httpData(call.http, body) } : { string: call.data } }],
    triggerMetadata: {},
    traceContext: traceContext(isHttp ? call.http.headers : {}),
  };
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

/** W3C trace context: the host's own span, within the client's trace if it sent one. */
function traceContext(headers: Record<string, string>): object {
  const [, trace = randomBytes(16).toString('hex'), flags = '00'] =
    /^00-([\da-f]{32})-[\da-f]{16}-([\da-f]{2})$/.exec(headers['traceparent'] ?? '') ?? [];
  return {
    traceParent: `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`,
    traceState: headers['tracestate'] ?? '',
  };
}

function outcome(id: string, http: RpcHttp | undefined): Outcome {
  if (!http) return { message: { type: 'done', id } };
  const head = {
    status: Number(http.statusCode),
    headers: Object.entries(http.headers),
    cookies: http.cookies.map(unwrap),
  };
  return { message: { type: 'reply', id, http: head }, body: http.body?.bytes };
}

function unwrap(cookie: Record<string, unknown>): Cookie {
  const plain: Record<string, unknown> = {};
  for (const [key, wrapped] of Object.entries(cookie)) {
    const value =
      typeof wrapped === 'object' && wrapped !== null ? (wrapped as { value: unknown }).value : wrapped;
    plain[key] = typeof value === 'object' && value !== null ? (value as { seconds: number }).seconds : value;
  }
  return plain as Cookie;
}
