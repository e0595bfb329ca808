import { type Selectable, sql } from 'kysely';
import { Channel } from '../../../contract/channel.ts';
import { Language } from '../../../contract/language.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { RequestRecords } from '../../../lib/db/tables.ts';
import type { Capability } from '../../identity/groups/capability.ts';
import { granted } from '../../identity/groups/group-settings.schemas.ts';
import { storedSettings } from '../../identity/physicians/physician-settings.schemas.ts';
import { audiences, type NewsKind, type NewsPayload } from '../../announce/news/news.ts';
import { isUrgentNews } from './urgent-news.ts';

/** Who gets news, and by which channels. */
export interface Recipient {
  userId: number;
  email: string;
  language: Language;
  channels: readonly Channel[];
}

interface Row {
  id: number;
  email: string;
  language: string | null;
  /** Of the physician; null for others. */
  preference: string | null;
  notify_channels: string[];
  settings: unknown;
}

type CaseRecord = Pick<
  Selectable<RequestRecords>,
  'account_user_id' | 'language' | 'tenant_id' | 'answer_action'
>;

/**
 * Those whom news concerns now, and whose accounts are in use. News that is for one person finds that one or none: who has
 * left the audience since, such as a physician who is no longer on call, gets nothing.
 */
export async function findRecipients(tx: Tx, news: NewsPayload, record: CaseRecord): Promise<Recipient[]> {
  const { kind, user_id: only, physician_id: physicianId } = news;
  const { to } = audiences[kind];
  const isUrgent = isUrgentNews(news, record);
  const audience = await findAudience(tx, to, { ...record, physicianId });
  const ids = only === null ? audience : audience.filter((id) => id === only);
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    SELECT u.id, u.email, u.language, p.language_preference AS preference, u.notify_channels, p.settings
    FROM users u JOIN tenants t ON t.id = u.tenant_id LEFT JOIN physicians p ON p.user_id = u.id
    WHERE u.id = ANY (${ids}::integer[]) AND u.is_active AND t.is_active ORDER BY u.id`.execute(tx);
  return rows.map((row) => {
    const spoken = to === 'account' ? record.language : row.preference;
    return {
      userId: row.id,
      email: row.email,
      language: Language.catch('en').parse(row.language ?? spoken),
      channels: isUrgent ? Channel.options : chosenBy(row, to),
    };
  });
}

/** Patients choose for their account, physicians in their settings. */
function chosenBy({ notify_channels: chosen, settings }: Row, to: string): Channel[] {
  if (to === 'account') return Channel.options.filter((channel) => chosen.includes(channel));
  const { notify = {} } = storedSettings(settings);
  return Channel.options.filter((channel) => notify[channel] !== false);
}

async function findAudience(
  tx: Tx,
  to: (typeof audiences)[NewsKind]['to'],
  record: CaseRecord & { physicianId: number | null },
): Promise<number[]> {
  if (to === 'account') return record.account_user_id === null ? [] : [record.account_user_id];
  if (to === 'on_call') return await findMembersWith(tx, 'on_call', record);
  const physician = await tx
    .selectFrom('physicians')
    .innerJoin('users', 'users.id', 'physicians.user_id')
    .select(['users.id', 'users.is_active', 'users.role'])
    .where('physicians.id', '=', record.physicianId)
    .executeTakeFirst();
  if (to === 'assignee') return physician === undefined ? [] : [physician.id];
  const canAmend = physician !== undefined && physician.is_active && physician.role !== 'patient';
  return canAmend ? [physician.id] : await findAuditors(tx, record);
}

/** Who can have a wrong answer withdrawn or answered anew when its author is gone. */
async function findAuditors(tx: Tx, record: CaseRecord): Promise<number[]> {
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', record.tenant_id)
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('id', 'is distinct from', record.account_user_id)
    .execute();
  return [...new Set([...admins.map(({ id }) => id), ...(await findMembersWith(tx, 'case.audit', record))])];
}

/** Members of groups with a capability, but for those who are away and for the patient. */
async function findMembersWith(
  tx: Tx,
  capability: Capability,
  { account_user_id: patient, tenant_id: tenantId }: CaseRecord,
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number; settings: unknown }>`
    SELECT m.user_id, g.settings
    FROM user_groups g JOIN user_group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
      LEFT JOIN physicians p ON p.user_id = m.user_id
    WHERE g.tenant_id = ${tenantId} AND p.vacation_mode IS NOT TRUE
      AND m.user_id IS DISTINCT FROM ${patient}::integer`.execute(tx);
  const able = rows.filter(({ settings }) => granted(settings).capabilities.includes(capability));
  return [...new Set(able.map(({ user_id: id }) => id))];
}
