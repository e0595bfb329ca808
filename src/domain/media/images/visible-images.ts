import type { AccountActor, Actor } from '../../../contract/actor.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findStoredOwners } from './image.queries.ts';

/** Of these images those that exist for the actor: the own ones, and for staff those in a case that they may see. */
export async function onlyVisible<Image extends { uuid: string; owner_user_id: number | null }>(
  tx: Tx,
  { findCasePhotos }: Pick<Context, 'findCasePhotos'>,
  actor: AccountActor,
  images: readonly Image[],
): Promise<Image[]> {
  const isOwn = (image: Image) => image.owner_user_id === actor.id;
  const others = images.filter((image) => !isOwn(image)).map(({ uuid }) => uuid);
  const shown = others.length === 0 ? new Set() : await findCasePhotos(tx, actor, others);
  return images.filter((image) => isOwn(image) || shown.has(image.uuid));
}

const ownPath = /^\/api\/common\/images\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

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
  context: Pick<Context, 'db' | 'findCasePhotos'>,
  actor: Actor,
  { images = [] }: { images?: readonly { url?: string | undefined }[] | undefined },
): Promise<void> {
  const named = images
    .map(({ url }, index) => ({ uuid: imageUuidOf(url), pointer: `/images/${index}/url` }))
    .filter((image): image is { uuid: string; pointer: string } => image.uuid !== undefined);
  if (named.length === 0) return;
  const visible = actor.kind === 'account' ? await findVisible(context, actor, named) : new Set();
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
  context: Pick<Context, 'db' | 'findCasePhotos'>,
  actor: AccountActor,
  named: readonly { uuid: string }[],
): Promise<Set<string>> {
  const uuids = named.map(({ uuid }) => uuid);
  const visible = await inTenant(context.db, actor.tenantId, async (tx) => {
    const stored = await findStoredOwners(tx, uuids);
    return await onlyVisible(tx, context, actor, stored);
  });
  return new Set(visible.map(({ uuid }) => uuid));
}
