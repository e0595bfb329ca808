import type { CaseSearch } from 'dermagate-client';
import { plainLine } from '../../staff/plain-line.ts';

/** Filters that stand in the address; the words that are searched for never do. */
export const filterNames = [
  'scope',
  'status',
  'triage',
  'urgency',
  'language',
  'pool',
  'physician',
  'disease',
  'audit',
  'overdue',
  'from',
  'to',
  'sort',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export const options = {
  scope: ['mine', 'queue', 'tenant'],
  status: [
    'queued',
    'in_review',
    'on_hold',
    'answered',
    'closed',
    'submitted',
    'ineligible',
    'cancelled',
    'expired',
  ],
  triage: ['emergency', 'urgent_24h', 'soon_2_weeks', 'routine', 'self_care'],
  urgency: ['emergency', 'high', 'medium', 'low'],
  language: ['en', 'he', 'ar', 'es'],
  audit: ['pending', 'done', 'none'],
  sort: ['due_at:asc', 'created_at:desc', 'created_at:asc', 'updated_at:desc', 'submitted_at:asc'],
} as const;

export function filtersOf(query: Readonly<URLSearchParams>): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name) ?? '';
      return isValid(name, value) ? [[name, value]] : [];
    }),
  );
}

/** An address can be typed: what no filter offers is ignored. */
function isValid(name: FilterName, value: string): boolean {
  if (value === '') return false;
  if (Object.hasOwn(options, name))
    return (options[name as keyof typeof options] as readonly string[]).includes(value);
  if (name === 'from' || name === 'to')
    // The day after the last one of 9999 is no time that the gateway reads.
    return !Number.isNaN(Date.parse(value)) && /^(?!9999)\d{4}-\d\d-\d\d$/.test(value);
  if (name === 'disease') return diseaseOf(value) !== undefined;
  if (name === 'physician') return /^(?:me|none|[\da-f-]{36})$/i.test(value);
  if (name === 'pool') return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(value);
  return name === 'overdue' && value === '1';
}

/** A disease stands in the address as its id and name, so that it can be shown without being asked for. */
export function diseaseOf(value: string): { id: number; name: string } | undefined {
  const [, id = '', name = ''] = /^(\d{1,9}) (.+)$/.exec(value) ?? [];
  return id === '' ? undefined : { id: Number(id), name };
}

/** The beginning of a day here, and the beginning of the next one. */
const dayStart = (day: string, after = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The search that these filters make.
 * @param text the number of a case, the uuid or clinic id of a patient (`#` before it), or a name; not {@link unsearchable}.
 */
export function searchOf(filters: Filters, text: string): CaseSearch {
  const { scope, status, triage, urgency, language, pool, physician, audit, overdue, from, to, sort } =
    filters;
  const disease = diseaseOf(filters.disease ?? '');
  const search = {
    ...(scope !== undefined && { scope }),
    ...(status !== undefined && { status: [status] }),
    ...(triage !== undefined && { triage_level: [triage] }),
    ...(urgency !== undefined && { urgency: [urgency] }),
    ...(language !== undefined && { language: [language] }),
    ...(pool !== undefined && { pool: [pool] }),
    ...(physician !== undefined && { assigned_physician_uuid: physician }),
    ...(disease !== undefined && { disease_id: [disease.id] }),
    ...(audit !== undefined && { audit_state: [audit] }),
    ...(overdue !== undefined && { overdue: true }),
    ...((from !== undefined || to !== undefined) && {
      submitted: {
        ...(from !== undefined && { from: dayStart(from) }),
        ...(to !== undefined && { to: dayStart(to, 1) }),
      },
    }),
    ...(sort !== undefined && { sort }),
    ...wordsOf(text),
  };
  return search as CaseSearch;
}

/**
 * Why no search is made: `text` is the beginning of something that can be searched for, or the queue is searched for a
 * person, which the gateway refuses.
 */
export function unsearchable({ scope }: Filters, text: string): 'text' | 'queue' | undefined {
  const { patient_name: name, external_id: id } = wordsOf(text);
  if (name !== undefined && (Array.from(name).length < 2 || !/[\p{L}\p{N}]/u.test(name))) return 'text';
  if (id !== undefined && !/^[\w.-]{1,64}$/.test(id)) return 'text';
  return scope === 'queue' && (name ?? id) !== undefined ? 'queue' : undefined;
}

/** As much of a name as the gateway takes. */
const LONGEST_NAME = 40;

/** Arabic and Persian keyboards have digits of their own. */
const withPlainDigits = (text: string): string =>
  text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));

function wordsOf(
  typed: string,
): Pick<CaseSearch, 'case_id' | 'patient_uuid' | 'external_id' | 'patient_name'> {
  const text = plainLine(typed).trim();
  const plain = withPlainDigits(text);
  if (text === '') return {};
  if (/^\d{1,9}$/.test(plain) && Number(plain) > 0) return { case_id: Number(plain) };
  if (UUID.test(text)) return { patient_uuid: text };
  if (plain.startsWith('#')) return { external_id: plain.slice(1).trim() };
  return { patient_name: Array.from(text).slice(0, LONGEST_NAME).join('') };
}
