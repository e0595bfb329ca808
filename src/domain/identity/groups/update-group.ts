import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readGroup, updateGroup as update } from './group.queries.ts';
import type { Group } from './group.schemas.ts';
import type { GroupSettings } from './group-settings.schemas.ts';

export interface GroupChange {
  name?: string | undefined;
  settings?: { [Name in keyof GroupSettings]?: GroupSettings[Name] | undefined } | undefined;
}

/**
 * Changes what a group is called and what it adds; its members have it with their next request.
 * @param version that the caller has read.
 * @throws {Problem} `group_not_found`, `version_conflict`, `name_taken`
 */
export async function updateGroup(
  { db, audit }: Context,
  { tenantId }: AccountActor,
  { uuid, version, name, settings = {} }: GroupChange & { uuid: string; version: number },
): Promise<Group> {
  return await inTenant(db, tenantId, async (tx) => {
    const group = await readGroup(tx, uuid);
    const { capabilities, pools, languages } = group.settings;
    const after = {
      capabilities: settings.capabilities ?? capabilities,
      pools: settings.pools ?? pools,
      languages: settings.languages ?? languages,
    };
    await update(tx, { ...group, name: name ?? group.name, settings: after }, version);
    await audit.succeeded(tx, {
      subject: { kind: 'group', uuid },
      detail: {
        changed: [...(name === undefined ? [] : ['name']), ...Object.keys(settings)],
        capabilities_added: after.capabilities.filter((each) => !capabilities.includes(each)),
        capabilities_removed: capabilities.filter((each) => !after.capabilities.includes(each)),
      },
    });
    return await readGroup(tx, uuid);
  });
}
