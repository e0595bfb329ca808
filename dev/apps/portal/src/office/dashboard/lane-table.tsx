import type { AnalyticsCounts } from 'dermagate-client';
import { number } from '../../i18n/format.ts';
import { type Language, languageNames } from '../../i18n/texts.ts';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { type Column, StaffTable } from '../../staff/staff-table.tsx';
import { officeTexts } from '../i18n/texts.ts';

type Lane = AnalyticsCounts['queue']['by_lane'][number];

/** Waiting cases by lane: a pool of physicians and a language. */
export function LaneTable({ lanes }: { lanes: readonly Lane[] }) {
  const { dashboard } = officeTexts.value;
  const { generalPool, anyLanguage } = staffTexts.value;
  if (lanes.length === 0) return <p class="empty">{dashboard.nothingWaits}</p>;
  const columns: Column<Lane>[] = [
    {
      key: 'pool',
      label: dashboard.pool,
      cell: ({ pool }) => (pool === 'general' ? generalPool : <bdi>{pool}</bdi>),
    },
    {
      key: 'language',
      label: dashboard.language,
      cell: ({ language }) => (language === 'any' ? anyLanguage : languageNames[language as Language]),
    },
    { key: 'waiting', label: dashboard.waiting, cell: ({ waiting }) => number(waiting), numeric: true },
    {
      key: 'overdue',
      label: dashboard.overdue,
      cell: ({ overdue }) =>
        overdue > 0 ? <span class="badge bad">{number(overdue)}</span> : number(overdue),
      numeric: true,
    },
  ];
  return (
    <StaffTable
      caption={dashboard.byLane}
      columns={columns}
      rows={lanes}
      rowKey={({ pool, language }) => `${pool} ${language}`}
    />
  );
}
