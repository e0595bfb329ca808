import type { TrailEvent } from 'dermagate-client';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { Moment } from '../../staff/moment.tsx';
import type { Column } from '../../staff/staff-table.tsx';
import { Link } from '../../ui/link.tsx';
import { officeTexts } from '../i18n/texts.ts';

const tone = { success: 'badge good', failure: 'badge warn', denied: 'badge bad' } as const;

/** The columns of the audit trail. Codes stay codes: they are what a search and an auditor name. */
export function trailColumns(): Column<TrailEvent>[] {
  const { trail } = officeTexts.value;
  return [
    { key: 'at', label: trail.at, cell: ({ at }) => <Moment at={at} /> },
    {
      key: 'action',
      label: trail.action,
      cell: ({ action, category }) => (
        <>
          <code dir="ltr">{action}</code> <span class="muted">{trail.categories[category]}</span>
        </>
      ),
    },
    {
      key: 'outcome',
      label: trail.outcome,
      cell: ({ outcome }) => <span class={tone[outcome]}>{trail.outcomes[outcome]}</span>,
    },
    { key: 'actor', label: trail.actor, cell: ({ actor }) => <Actor actor={actor} /> },
    { key: 'subject', label: trail.subject, cell: ({ subject }) => subject && <Subject subject={subject} /> },
    { key: 'detail', label: trail.detail, cell: (event) => <Detail event={event} /> },
  ];
}

function Actor({ actor }: { actor: TrailEvent['actor'] }) {
  const { trail } = officeTexts.value;
  const { kind, uuid, role, display_name: name, email } = actor;
  if (uuid === null) return <>{trail.actors[kind]}</>;
  return (
    <>
      <Link to={`/users/${uuid}`}>
        <bdi>{name ?? email ?? trail.actors[kind]}</bdi>
      </Link>{' '}
      {role !== null && <span class="muted">{staffTexts.value.roles[role]}</span>}
    </>
  );
}

/** Where a subject has a page. */
const places: Readonly<Record<string, string>> = { user: 'users', group: 'groups', case: 'cases' };

function Subject({ subject: { kind, uuid } }: { subject: NonNullable<TrailEvent['subject']> }) {
  const short = (
    <>
      {kind} <code>{uuid.slice(-12)}</code>
    </>
  );
  const place = Object.hasOwn(places, kind) ? places[kind] : undefined;
  return (
    <span dir="ltr" title={uuid}>
      {place === undefined ? short : <Link to={`/${place}/${uuid}`}>{short}</Link>}
    </span>
  );
}

function Detail({ event }: { event: TrailEvent }) {
  const { trail } = officeTexts.value;
  const { detail, request_id: request, ip_prefix: network } = event;
  const rows = [
    ...Object.entries(detail).map(([name, value]) => [name, JSON.stringify(value)]),
    ...(request === null ? [] : [['request_id', request]]),
    ...(network === null ? [] : [['ip_prefix', network]]),
  ];
  if (rows.length === 0) return null;
  return (
    <details class="trail-detail">
      <summary>{trail.show}</summary>
      <dl dir="ltr">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
