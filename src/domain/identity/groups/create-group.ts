import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { insertGroup, readGroup } from './group.queries.ts';
import type { Group } from './group.schemas.ts';
import type { GroupSettings } from './group-settings.schemas.ts';

/**
 * Creates a group without members.
 * @throws {Problem} `name_taken`
 */
export async function createGroup(
  { db, request, audit }: Context,
  { tenantId }: AccountActor,
  { name, settings }: { name: string; settings: GroupSettings },
): Promise<Group> {
  const uuid = uuidv7();
  return await inTenant(db, tenantId, async (tx) => {
    await insertGroup(tx, { uuid, tenantId, name, settings, now: request.receivedAt });
    const { capabilities, languages } = settings;
    const detail = { capabilities, languages, pools: settings.pools.length };
    await audit.succeeded(tx, { subject: { kind: 'group', uuid }, detail });
    return await readGroup(tx, uuid);
  });
}
