import type { AccountActor } from '../../../contract/actor.ts';
import { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import {
  type PhysicianAdminSettings,
  type PhysicianSettings,
  storedAdminSettings,
  storedSettings,
} from '../physicians/physician-settings.schemas.ts';
import { Capability } from './capability.ts';
import { granted, type GroupSettings } from './group-settings.schemas.ts';
import { findStaff, type StaffRow } from './staff.queries.ts';

/** The profile of a physician, as far as it decides about cases. */
export interface StaffPhysician {
  id: number;
  uuid: string;
  privatePool: string | null;
  /** Further private pools, from the groups. */
  groupPools: readonly string[];
  isAway: boolean;
  /** Of the cases that are offered: the own ones, then those of the groups. */
  reviewLanguages: readonly Language[];
  settings: PhysicianSettings;
  adminSettings: PhysicianAdminSettings;
}

/** A physician or an admin at work. */
export interface Staff {
  actor: AccountActor;
  /** Null for an admin who is no physician. */
  physician: StaffPhysician | null;
  /** All of them for an admin. */
  capabilities: ReadonlySet<Capability>;
}

/** What the caller may do besides the role, and as which physician; one statement. */
export async function loadStaff(tx: Tx, actor: AccountActor): Promise<Staff> {
  const row = await findStaff(tx, actor);
  const groups = (row?.groups ?? []).map(granted);
  const added = groups.flatMap(({ capabilities }) => capabilities);
  return {
    actor,
    physician: row === undefined ? null : toPhysician(row, groups),
    capabilities: new Set(actor.role === 'admin' ? Capability.options : added),
  };
}

function toPhysician(row: StaffRow, groups: readonly GroupSettings[]): StaffPhysician | null {
  if (row.id === null) return null;
  const settings = storedSettings(row.settings);
  const preferred = Language.catch('en').parse(row.language_preference);
  const ownLanguages = settings.review_languages ?? [preferred];
  return {
    id: row.id,
    uuid: row.uuid,
    privatePool: row.private_pool,
    groupPools: [...new Set(groups.flatMap(({ pools }) => pools))],
    isAway: row.vacation_mode,
    reviewLanguages: [...new Set([...ownLanguages, ...groups.flatMap(({ languages }) => languages)])],
    settings,
    adminSettings: storedAdminSettings(row.admin_settings),
  };
}

/** @throws {Problem} `capability_required`, which names it. */
export function requireCapability({ capabilities }: Staff, capability: Capability): void {
  if (capabilities.has(capability)) return;
  throw new Problem('capability_required', { members: { capability } });
}

/** @throws {Problem} `physician_profile_required` */
export function requirePhysician({ physician }: Staff): StaffPhysician {
  if (physician === null) throw new Problem('physician_profile_required');
  return physician;
}
