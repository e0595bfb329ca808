import type { AccountActor, Actor } from '../../../contract/actor.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';

/** An image is seen by its owner, and by physicians and admins of its tenant; for others it does not exist. */
export function maySee(image: { owner_user_id: number | null }, actor: AccountActor): boolean {
  return image.owner_user_id === actor.id || actor.role !== 'patient';
}

const ownPath = /^\/api\/common\/images\/([0-9a-f-]{36})$/i;

/** The uuid in a path of ours; undefined for a foreign address, which is never fetched. */
export function imageUuidOf(url: string | undefined): string | undefined {
  return ownPath.exec(url ?? '')?.[1]?.toLowerCase();
}

/**
 * Refuses an anamnesis that names a stored image which the caller may not see or which does not exist; a stranger cannot
 * tell the two apart. A caller without a token sees none.
 *
 * @throws {Problem} `anamnesis_invalid` with a pointer for each
 */
export async function requireVisibleImages(
  db: Db,
  actor: Actor,
  { images = [] }: { images?: readonly { url?: string | undefined }[] | undefined },
): Promise<void> {
  const named = images
    .map(({ url }, index) => ({ uuid: imageUuidOf(url), pointer: `/images/${index}/url` }))
    .filter((image): image is { uuid: string; pointer: string } => image.uuid !== undefined);
  if (named.length === 0) return;
  const visible = actor.kind === 'account' ? await findVisible(db, actor, named) : new Set();
  const hidden = named.filter(({ uuid }) => !visible.has(uuid));
  const [first] = hidden;
  if (first === undefined) return;
  const errors: FieldError[] = hidden.map(({ pointer }) => ({
    pointer,
    code: 'invalid_value',
    message: 'There is no such image of yours.',
  }));
  throw new Problem('anamnesis_invalid', { errors, conceals: { kind: 'image', uuid: first.uuid } });
}

async function findVisible(
  db: Db,
  actor: AccountActor,
  named: readonly { uuid: string }[],
): Promise<Set<string>> {
  const uuids = named.map(({ uuid }) => uuid);
  const rows = await inTenant(db, actor.tenantId, (tx) =>
    tx
      .selectFrom('images')
      .select(['uuid', 'owner_user_id'])
      .where('uuid', 'in', uuids)
      .where('state', '=', 'stored')
      .where('deleted_at', 'is', null)
      .execute(),
  );
  return new Set(rows.filter((row) => maySee(row, actor)).map(({ uuid }) => uuid));
}
