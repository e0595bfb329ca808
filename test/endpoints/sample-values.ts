// Values that differ from run to run, replaced by samples that are valid and cannot be mistaken for real ones.

/** The shape of a JWT, whose payload is `{"sub":"me"}` and whose signature is the word "sample". */
const accessToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2FtcGxl';

/** SHA-256 of the word "sample". */
const sha256 = 'af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf';

const times: Readonly<Record<string, string>> = {
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
  submitted_at: '2026-01-15T09:30:00.000Z',
  last_login: '2026-01-16T07:45:00.000Z',
  last_used_at: '2026-01-16T08:10:00.000Z',
  expires_at: '2026-01-23T09:30:00.000Z',
  client_time: '2026-01-16T10:10:00.000+02:00',
  server_time: '2026-01-16T08:10:00.000Z',
  last_active_at: '2026-01-16T08:10:00.000Z',
  last_seen_at: '2026-01-16T08:10:00.000Z',
  from: '2026-01-15T09:30:00.000Z',
  at: '2026-01-15T09:30:00.000Z',
  analysed_at: '2026-01-15T09:30:02.000Z',
  checked_at: '2026-01-15T09:30:02.000Z',
  due_at: '2026-01-20T09:30:00.000Z',
  oldest_due_at: '2026-01-20T09:30:00.000Z',
  lease_expires_at: '2026-01-16T08:40:00.000Z',
  remind_at: '2026-01-18T09:30:00.000Z',
  read_at: '2026-01-16T08:10:00.000Z',
  signed_at: '2026-01-16T08:30:00.000Z',
  published_at: '2026-01-16T08:35:00.000Z',
  cancelled_at: '2026-01-16T08:40:00.000Z',
  until: '2026-01-30T00:00:00.000Z',
  retry_at: '2026-01-17T08:10:00.000Z',
  added_at: '2026-01-15T09:45:00.000Z',
};

const sampleUuid = (number: number) => `0193a8f0-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** What every recorded problem has for the id of its request. */
const sampleRequestId = sampleUuid(0);

/** Of the one answer that scenarios write; the real one has the day and who signed. */
const sampleAnswer = `Make a regular appointment with a doctor. If it gets worse, seek help sooner.

Diagnosis: Atopic eczema, L20.9, probable

This looks like eczema. It is not contagious.

Physician 1207
16 January 2026`;

/** Replaces volatile values in any JSON value. One uuid becomes the same sample wherever it occurs. */
export function createSampler(): (value: unknown) => unknown {
  const uuids = new Map<string, string>();
  const uuidFor = (found: string) => {
    if (found.startsWith('0193a8f0-0000-')) return found;
    const sample = uuids.get(found) ?? sampleUuid(uuids.size + 1);
    uuids.set(found, sample);
    return sample;
  };
  const text = (key: string, value: string): string => {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return timeOf(key);
    if (/^[0-9a-f]{64}$/.test(value)) return sha256;
    if (key === 'requestId') return sampleRequestId;
    if (key === 'rendered_text') return sampleAnswer;
    if (key === 'ip_prefix') return '203.0.113.0/24';
    return value
      .replaceAll(/\b(Patient|Physician) \d+\b/g, '$1 1207')
      .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, uuidFor)
      .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, accessToken)
      .replaceAll(/(dg[a-z]_)[\w-]{43}/g, (_token, prefix: string) => `${prefix}sample`.padEnd(47, '0'))
      .replaceAll(/\b([MC]|fcm)-\d{13,}\b/g, '$1-20417')
      .replaceAll(/-\d+@example\.org/g, '@example.org')
      .replaceAll(/-\d{13}\b/g, '-20417') // digits that no other request has
      .replaceAll(/in \d+ seconds/g, 'in 900 seconds');
  };
  const sample = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return text(key, value);
    // The number of a case; who has no name is called by one.
    if (key === 'id' && typeof value === 'number') return 48213;
    if (key === 'template_id' && typeof value === 'number') return 31;
    // Of the demo physician: what other scenarios have signed.
    if (key === 'answered_7d' && value !== 0) return 40;
    if (key === 'clock_skew_ms') return 1200;
    if (Array.isArray(value)) return value.map((item) => sample(item, key));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    // A record by UUID.
    return Object.fromEntries(entries.map(([name, member]) => [text('', name), sample(member, name)]));
  };
  return (value) => sample(value);
}

function timeOf(key: string): string {
  const time = times[key];
  if (time === undefined) throw new Error(`no sample time for ${key}`);
  return time;
}
