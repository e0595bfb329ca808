import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../contract/problem.ts';

/** What a cursor belongs to: with another list, tenant, caller or filter it is refused. */
export interface CursorScope {
  /** Name of the list, and of its order. */
  list: string;
  tenantId: number;
  /** Whose list it is, and all filters. */
  filters: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/** The sort keys of the last row of a page. */
export type Position = readonly (string | number | null)[];

export interface CursorKeys {
  SECRET_KEY: string;
  SECRET_KEY_PREVIOUS?: string | undefined;
}

const macBytes = 16;

/** A position in a list as clients carry it: readable, but of no use when altered or for another list. */
export function sealCursor({ SECRET_KEY }: CursorKeys, scope: CursorScope, position: Position): string {
  const text = JSON.stringify(position);
  return `${Buffer.from(text).toString('base64url')}.${mac(SECRET_KEY, scope, text).toString('base64url')}`;
}

/** @throws {Problem} `cursor_invalid` for one that was altered or belongs to another list, tenant, caller or filter. */
export function openCursor(keys: CursorKeys, scope: CursorScope, cursor: string): Position {
  const [body = '', tag = '', ...rest] = cursor.split('.');
  const text = Buffer.from(body, 'base64url').toString('utf8');
  const given = Buffer.from(tag, 'base64url');
  const secrets = [keys.SECRET_KEY, keys.SECRET_KEY_PREVIOUS].filter((key) => key !== undefined);
  const isOurs =
    rest.length === 0 &&
    given.length === macBytes &&
    secrets.some((secret) => timingSafeEqual(mac(secret, scope, text), given));
  if (!isOurs) throw new Problem('cursor_invalid');
  return JSON.parse(text) as Position;
}

function mac(secret: string, { list, tenantId, filters }: CursorScope, text: string): Buffer {
  const set = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const key = createHmac('sha256', secret).update('cursor v1').digest();
  const scope = JSON.stringify([list, tenantId, set]);
  return createHmac('sha256', key).update(`${scope}\n${text}`).digest().subarray(0, macBytes);
}
