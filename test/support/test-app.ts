import type { ContainerClient } from '@azure/storage-blob';
import type { Pool } from 'pg';
import type { Host } from '../../dev/packages/functions-host/host.ts';
import type { FakeAi } from './fake-ai.ts';

export type RequestOptions = RequestInit & {
  /** Sent as the JSON body. */
  json?: unknown;
  /** Sent as the bearer token. */
  token?: string;
  /** Query parameters that the operation does not have, on purpose; any other is a mistake of the test. */
  strayQuery?: readonly string[];
};

export type TestApp<Ai extends FakeAi | 'real' = FakeAi> = {
  url: string;
  host: Host;
  /** The scriptable AI service behind this app; undefined with the real one. */
  ai: Ai extends FakeAi ? FakeAi : undefined;
  /** Connections as the owner of the tables. */
  db: Pool;
  databaseUrl: string;
  blobs: ContainerClient;
  /** What the app runs with. */
  env: Record<string, string>;
  /** Everything the app and the host have written so far, by line. */
  output: string[];
  /** `fetch` against this app: POST when there is a body and no method; redirects are not followed. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  /** Runs a timer of this app now, whatever its schedule says. */
  runTimer(name: string): Promise<void>;
  stop(): Promise<void>;
};
