import { randomUUID } from 'node:crypto';
import type { AccessStage, Caller, Circumstance, Thing } from '../../support/access-stage.ts';
import type { RequestOptions } from '../../support/app.ts';

export type Asked = RequestOptions & { path: string };

/** What a row of `access` asks. */
export interface Row {
  /** A case of its own for each caller. */
  circumstance?: Circumstance;
  /** Something else, made anew for each caller right before the request. */
  make?: (stage: AccessStage, caller: Caller) => Promise<Thing>;
  ask: (thing: Thing, caller: Caller) => Asked;
  /** For `seen` and `unseen`: what is in the reply, of the thing of this caller or of any caller. */
  shows?: (thing: Thing, others: readonly Thing[]) => readonly string[];
}
/** A row with what each of callers.ts gets, separated by blanks: the legend is in docs/security.md. */
export interface AccessRow extends Row {
  cells: string;
}

const root = '/api/v1/backoffice';
export const get = (path: string): Asked => ({ path: `${root}/${path}` });
export const send = (method: string, path: string, json?: object): Asked => ({
  method,
  path: `${root}/${path}`,
  ...(json !== undefined && { json }),
});
export const post = (path: string, json?: object): Asked => send('POST', path, json);

export const nothing: Thing = { uuid: '', name: '', version: 1 };
export const mark = () => `access-${randomUUID().slice(0, 8)}`;

/** About something that is made anew for each caller. */
export const about = (
  make: (stage: AccessStage, caller: Caller) => Promise<Thing>,
  ask: Row['ask'],
  shows?: Row['shows'],
): Row => ({ make, ask, ...(shows !== undefined && { shows }) });
/** About nothing that was there before. */
export const plain = (ask: Row['ask']): Row => about(async () => nothing, ask);
export const itself = ({ uuid }: Thing) => [uuid];

export async function inserted(stage: AccessStage, text: string, values: unknown[]): Promise<Thing> {
  const name = mark();
  const [found] = await stage.run<{ uuid: string; version: number; id: string }>(
    `INSERT INTO ${text} RETURNING uuid, version, id`,
    [name, ...values],
  );
  if (found === undefined) throw new Error(`nothing was inserted into ${text}`);
  return { ...found, name: found.id };
}
