import { createHash } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Db, Tx } from '../db/connect.ts';
import { isOfStatement } from '../db/errors.ts';
import type { DB } from '../db/tables.ts';
import type { TenantActor } from '../../contract/actor.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../app/context.ts';
import { type KeysLeft, keysLeft, leaveKey } from './keys-left.ts';

/** A key is valid for a day. */
const lifetimeMs = 24 * 60 * 60 * 1000;
/** A request that runs longer has most likely died; another request may take over its key. */
const abandonedAfterMs = 60_000;
/** What a request needs at most besides the answer of the AI service, for which it waits within its key. */
const besidesAiMs = 30_000;

export interface IdempotentRequest {
  /** The `Idempotency-Key` header as sent; undefined if the request is not idempotent. */
  key: string | undefined;
  tenantId: number;
  /** The user's UUID, or the network of a caller without a token, so that keys of different callers never collide. */
  userKey: string;
  /** Method and route. */
  route: string;
  /** The request's content, all of it: the same key with other content is a client error. */
  content: readonly (string | Uint8Array)[];
  now: Date;
  /** How long the request may run before another may take over its key. */
  runsAtMostMs: number;
  /** Of the app that serves the request. */
  keysLeft: KeysLeft;
}

/**
 * The request of `actor`, by its `Idempotency-Key`.
 * @param route and content as in {@link IdempotentRequest}.
 */
export function idempotentRequest(
  { request, clock, config, memory }: Pick<Context, 'request' | 'clock' | 'config' | 'memory'>,
  actor: TenantActor,
  route: string,
  content: IdempotentRequest['content'],
): IdempotentRequest {
  return {
    key: request.idempotencyKey,
    tenantId: actor.tenantId,
    userKey: actor.kind === 'account' ? actor.uuid : `network ${actor.ipPrefix}`,
    route,
    content,
    now: clock.now(),
    runsAtMostMs: Math.max(abandonedAfterMs, config.AI_TIMEOUT_MS + besidesAiMs),
    keysLeft: memory.of(keysLeft),
  };
}

/** SHA-256 over the hashes of the parts, so that no two lists of parts give the same. */
function fingerprintOf(parts: readonly (string | Uint8Array)[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(createHash('sha256').update(part).digest());
  return digest.digest();
}

export interface IdempotentOutcome<Reply> {
  reply: Reply;
  /** Whether the reply is that of an earlier request with this key. */
  replayed: boolean;
}

/**
 * Runs `work` at most once per key: a retry gets the first reply. `work` calls `done` inside its own transaction, so that
 * the key is spent if and only if the work is committed. Failures are not stored. The reply is stored, so it must contain
 * no health data; use {@link withIdempotencyKeyForResource} for others.
 *
 * @throws {Problem} `validation_error` for a malformed key, `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function withIdempotencyKey<Reply>(
  db: Db,
  request: IdempotentRequest,
  work: (done: (tx: Tx, reply: Reply) => Promise<void>) => Promise<Reply>,
): Promise<IdempotentOutcome<Reply>> {
  return await runWithKey(
    db,
    request,
    (spend) => work((tx, reply) => spend(tx, { reply: JSON.stringify(reply) })),
    async ({ reply }) => reply as Reply,
  );
}

/**
 * Like {@link withIdempotencyKey}, for a reply that can be rebuilt from the record that `work` creates: only the record's
 * uuid, which `work` passes to `done`, is stored, and whether the record was there before the request.
 *
 * @param find rebuilds the reply of a record; undefined when the record no longer exists, and the key is then refused.
 */
export async function withIdempotencyKeyForResource<Reply>(
  db: Db,
  request: IdempotentRequest,
  work: (done: ((tx: Tx, uuid: string, isKnown?: boolean) => Promise<void>) | undefined) => Promise<Reply>,
  find: (uuid: string, isKnown: boolean) => Promise<Reply | undefined>,
): Promise<IdempotentOutcome<Reply>> {
  return await runWithKey(
    db,
    request,
    // Without a key, `work` has nothing to commit together.
    (spend) =>
      work(
        request.key === undefined
          ? undefined
          : (tx, uuid, isKnown = false) =>
              spend(tx, { resource_uuid: uuid, ...(isKnown && { reply: JSON.stringify({ isKnown }) }) }),
      ),
    async ({ resource_uuid: uuid, reply }) => (uuid === null ? undefined : await find(uuid, reply !== null)),
  );
}

type Spent = { reply: string } | { resource_uuid: string; reply?: string };
interface Remembered {
  reply: unknown;
  resource_uuid: string | null;
}

async function runWithKey<Reply>(
  db: Db,
  request: IdempotentRequest,
  work: (spend: (tx: Tx, spent: Spent) => Promise<void>) => Promise<Reply>,
  replay: (remembered: Remembered) => Promise<Reply | undefined>,
): Promise<IdempotentOutcome<Reply>> {
  if (request.key === undefined) return { reply: await work(async () => {}), replayed: false };
  const id = identify(request, request.key);
  const earlier = await reserve(db, id, request).catch((error: unknown) => {
    // PostgreSQL may come to it later, and no one would know whose the key is.
    if (!(error instanceof Problem) && !isOfStatement(error))
      leaveKey(request.keysLeft, textOf(id), request.now);
    throw error;
  });
  if (earlier !== undefined) {
    const reply = await replay(earlier);
    if (reply !== undefined) return { reply, replayed: true };
    const detail = 'The result of the first request with this key was deleted since; send a new key.';
    throw new Problem('idempotency_key_reused', { detail });
  }
  try {
    const reply = await work(async (tx, spent) => {
      const update = { state: 'done' as const, ...spent };
      const { numUpdatedRows } = await tx
        .updateTable('idempotency_keys')
        .set(update)
        .where(matching(id))
        .where(isOurs(request))
        .executeTakeFirst();
      // Another request took the key over: only that one may commit.
      if (numUpdatedRows !== 1n) throw inProgress();
    });
    return { reply, replayed: false };
  } catch (error) {
    // Deletes a key only while it is running and ours: the work may have committed before something else failed.
    const running = db.deleteFrom('idempotency_keys').where(matching(id)).where(isOurs(request));
    await running.execute().catch(() => leaveKey(request.keysLeft, textOf(id), request.now));
    throw error;
  }
}

interface KeyId {
  tenant_id: number;
  user_key: string;
  route: string;
  key_hash: Buffer;
}

function identify({ tenantId, userKey, route }: IdempotentRequest, key: string): KeyId {
  if (!/^[A-Za-z0-9_-]{8,64}$/.test(key)) {
    const message = 'The Idempotency-Key header must be 8 to 64 characters from A-Z a-z 0-9 _ -.';
    throw new Problem('validation_error', {
      detail: message,
      errors: [{ pointer: '/idempotency-key', code: 'invalid_format', message }],
    });
  }
  const keyHash = createHash('sha256').update(key).digest();
  return { tenant_id: tenantId, user_key: userKey, route, key_hash: keyHash };
}

/** @returns the stored outcome if the work was done before; undefined if the key is now ours. */
async function reserve(
  db: Db,
  id: KeyId,
  { content, now, runsAtMostMs, keysLeft: leftKeys }: IdempotentRequest,
): Promise<Remembered | undefined> {
  const fingerprint = fingerprintOf(content);
  const row = {
    ...id,
    fingerprint,
    state: 'running' as const,
    started_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
  };
  const abandoned = new Date(now.getTime() - runsAtMostMs);
  const left = leftKeys.get(textOf(id)) ?? [];
  const reserved = await db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_key', 'route', 'key_hash'])
        .doUpdateSet({
          fingerprint,
          state: 'running',
          reply: null,
          resource_uuid: null,
          started_at: now,
          expires_at: row.expires_at,
        })
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.expires_at', '<=', now),
            eb.and([
              eb('idempotency_keys.state', '=', 'running'),
              eb.or([
                eb('idempotency_keys.started_at', '<=', abandoned),
                eb('idempotency_keys.started_at', '=', eb.fn.any(eb.val(left))),
              ]),
            ]),
          ]),
        ),
    )
    .returning('state')
    .executeTakeFirst();
  if (reserved !== undefined) return undefined;
  const known = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'state', 'reply', 'resource_uuid'])
    .where(matching(id))
    .executeTakeFirst();
  // An absent row means that the first request has just failed: `idempotency_in_progress` makes the client retry.
  if (known !== undefined && !known.fingerprint.equals(fingerprint))
    throw new Problem('idempotency_key_reused');
  if (known === undefined || known.state === 'running') {
    throw inProgress();
  }
  return known;
}

const textOf = ({ key_hash: hash, ...id }: KeyId) => JSON.stringify({ ...id, hash: hash.toString('hex') });

const inProgress = () => new Problem('idempotency_in_progress', { headers: { 'retry-after': '1' } });

function matching(id: KeyId) {
  return (eb: ExpressionBuilder<DB, 'idempotency_keys'>) => eb.and(id);
}

/** A request that takes a key over writes another `started_at`. */
function isOurs({ now }: IdempotentRequest) {
  return (eb: ExpressionBuilder<DB, 'idempotency_keys'>) => eb.and({ state: 'running', started_at: now });
}
