// What the frames between host and worker carry. The names follow Azure's gRPC contract where it has one.

/** What an app registered: the metadata that `@azure/functions` hands to its core module. */
export type RegisteredFunction = { name: string; bindings: Record<string, Binding> };

export type Binding = {
  type: string;
  direction: 'in' | 'out';
  route?: string;
  methods?: string[];
  authLevel?: string;
  schedule?: string;
  runOnStartup?: boolean;
};

/** An HTTP request without its body. Keys of `query` and `params` keep the letter case of the client. */
export type RequestHead = {
  method: string;
  url: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  params: Record<string, string>;
};

/** What triggers a function: an HTTP request, or the JSON that any other trigger passes. */
export type Call = { http: RequestHead } | { data: string };

export type Cookie = {
  name: string;
  value: string;
  domain?: string;
  path?: string;
  /** Seconds since 1970. */
  expires?: number;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite: 'none' | 'lax' | 'strict' | 'explicitNone';
  /** Seconds. */
  maxAge?: number;
};

export type ToWorker = ({ type: 'invoke'; id: string; functionName: string } & Call) | { type: 'terminate' };

export type FromWorker =
  | { type: 'started'; functions: RegisteredFunction[] }
  | { type: 'failed'; message: string }
  | { type: 'reply'; id: string; status: number; headers: Record<string, string>; cookies: Cookie[] }
  /** The handler gave nothing: no body, no status. */
  | { type: 'empty'; id: string }
  | { type: 'error'; id: string; message: string }
  | { type: 'log'; level: string; message: string };
