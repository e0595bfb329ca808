// One call of a function: arguments → handler → response, after Azure's worker (eventHandlers/InvocationHandler.ts).
import { randomBytes } from 'node:crypto';
import type { AppState, Level } from './core-module.ts';
import type { Cookie, FromWorker, RegisteredFunction, RequestHead, ToWorker } from './wire.ts';

type Invoke = Extract<ToWorker, { type: 'invoke' }>;
type Outcome = { message: FromWorker; body?: Uint8Array | undefined };
type Log = (level: Level, category: string, message: string, id: string) => void;

/** A handler's result as the library encodes it: wrapped values are `{ value }`, time stamps `{ value: { seconds } }`. */
type RpcHttp = {
  statusCode: string;
  headers: Record<string, string>;
  cookies: Record<string, unknown>[];
  body?: { bytes?: Uint8Array } | null;
};

export async function invoke(app: AppState, call: Invoke, body: Buffer, log: Log): Promise<Outcome> {
  const registered = app.functions.get(call.functionName);
  if (!registered || !app.model) {
    throw new Error(`Function code for '${call.functionName}' is not loaded and cannot be invoked.`);
  }
  const { metadata, handler } = registered;
  const model = await app.model.getInvocationModel({
    invocationId: call.id,
    metadata,
    request: invocationRequest(call, body, metadata),
    log: (level: Level, category: string, message: string) => log(level, category, message, call.id),
  });
  const { context, inputs } = await model.getArguments();
  const result = await model.invokeFunction(context, inputs, handler);
  const { returnValue } = await model.getResponse(context, result);
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
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
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
