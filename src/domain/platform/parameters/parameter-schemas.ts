import { z } from 'zod';
import { Channel } from '../../../contract/channel.ts';
import { Language } from '../../../contract/language.ts';
import { Role } from '../../../contract/role.ts';
import { AppVersion } from './app-version.ts';
import { TextVersion } from './text-version.ts';

const hours = (value: number) => z.number().positive().max(8760).default(value);
const days = (value: number) => z.int().min(1).max(3650).default(value);
const minutes = (value: number, min: number, max: number) => z.int().min(min).max(max).default(value);
/** A year at most: a time that lies too far back is none that PostgreSQL takes. */
const waitingMinutes = z.number().min(0).max(525_600);
/** Minutes by rank: emergencies, then urgent cases, then all others. */
const minutesByRank = (value: [number, number, number]) =>
  z.tuple([waitingMinutes, waitingMinutes, waitingMinutes]).default(value);
const legalText = (resource: string) =>
  z.object({
    version: TextVersion.default('1'),
    resource: z.string().max(64).default(resource),
  });

/** Texts by language; English stands for the missing ones. */
const Texts = z.partialRecord(Language, z.string().max(2000)).and(z.object({ en: z.string().max(2000) }));

/**
 * The parameters that mean something to the service, by `branch/sub_branch`. Each key has the default that counts where
 * neither tenant nor platform has a valid value. A migration wrote the same defaults into the table.
 */
export const parameterSchemas = {
  'queue/sla_hours': z.object({
    emergency: hours(1),
    urgent_24h: hours(24),
    soon_2_weeks: hours(72),
    routine: hours(120),
    self_care: hours(168),
  }),
  'queue/rules': z.object({
    lease_minutes: minutes(30, 5, 240),
    allow_claim: z.boolean().default(true),
    undo_minutes: minutes(5, 0, 60),
    reserve_hours: hours(24),
    pool_open_minutes: minutesByRank([15, 120, 1440]),
    language_open_minutes: minutesByRank([15, 240, 2880]),
    skip_hours: hours(24),
  }),
  'eligibility/rules': z.object({
    version: z.string().min(1).max(32).default('1'),
    min_age_years: z.int().min(0).max(120).default(0),
    guardian_under_years: z.int().min(0).max(25).default(18),
    excluded_sites: z
      .array(z.object({ site: z.string().max(64), under_years: z.int().min(0).max(120) }))
      .max(20)
      .default([{ site: 'groin_genitals', under_years: 16 }]),
    quota: z
      .object({ cases: z.int().min(1).max(1000), days: z.int().min(1).max(366) })
      .default({ cases: 5, days: 30 }),
    duplicate_days: z.int().min(0).max(365).default(7),
    membership: z.enum(['none', 'external_id', 'service']).default('none'),
  }),
  'audit/rules': z.object({
    sample_percent: z.number().min(0).max(100).default(5),
    always_urgencies: z.array(z.string().max(32)).max(10).default(['high', 'emergency']),
    always_on_disagreement: z.boolean().default(true),
  }),
  'retention/rules': z.object({
    case_years: z.int().min(1).max(100).default(10),
    minor_until_years: z.int().min(18).max(100).default(25),
    draft_days: days(30),
    pending_days: days(14),
    legal_basis: z.string().max(500).default('duty to retain medical records'),
  }),
  'auth/rules': z.object({
    mfa_required_roles: z.array(Role).default([]),
    session_idle_minutes: minutes(30, 1, 1440),
    session_absolute_hours: hours(12),
    unique_session: z.boolean().default(false),
  }),
  'notify/rules': z.object({
    channels: z.array(Channel).default([...Channel.options]),
    quiet_hours: z
      .object({ from: z.int().min(0).max(23), to: z.int().min(0).max(23) })
      .nullable()
      .default(null),
    /** Of the quiet hours. */
    time_zone: z.string().max(64).refine(isTimeZone, { error: 'is no time zone' }).default('UTC'),
    reminder_days: z.array(z.int().min(1).max(365)).max(5).default([3, 10]),
  }),
  'mobile/app': z.object({
    min_version: AppVersion.nullable().default(null),
    recommended_version: AppVersion.nullable().default(null),
    maintenance: z.object({ until: z.iso.datetime().nullable(), text: Texts }).nullable().default(null),
    support_email: z.email().max(254).nullable().default(null),
    links: z.record(z.string().max(64), z.url({ protocol: /^https$/ })).default({}),
  }),
  'legal/consent': legalText('consent'),
  'legal/privacy': legalText('privacy'),
  'desk/features': z.object({
    /** Whether physicians see what the AI service found before they have looked themselves. */
    show_ai_findings_open: z.boolean().default(false),
  }),
  'portal/features': z.object({
    /** Whether the portal offers to send a case to a doctor: to be switched off where no doctor answers cases. */
    cases: z.boolean().default(true),
    show_ai_result: z.boolean().default(true),
    languages: z
      .array(Language)
      .min(1)
      .default([...Language.options]),
  }),
} as const;

export type ParameterName = keyof typeof parameterSchemas;
/** The parameters of a `branch/sub_branch`, complete. */
export type Parameters<Name extends ParameterName> = z.output<(typeof parameterSchemas)[Name]>;

const OwnText = z.string().min(1).max(20_000);
/** A text of one version as it is read: one that was stored before English was required may lack it. */
export const StoredTexts = z.partialRecord(Language, OwnText);
/**
 * A text of one version in the languages that a tenant has it in, every key of the branch `resources`; English stands for the
 * missing ones.
 */
export const OwnTexts = StoredTexts.and(z.object({ en: OwnText }));

/** What such a branch may hold; undefined for branches that only clients use, and for `resources`. */
export function schemaOf(name: string): z.ZodObject | undefined {
  return Object.hasOwn(parameterSchemas, name) ? parameterSchemas[name as ParameterName] : undefined;
}

/** Whether `name` is in the IANA database, such as `Asia/Jerusalem`. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
