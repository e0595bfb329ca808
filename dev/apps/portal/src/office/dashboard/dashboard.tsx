import type { AnalyticsCounts } from 'dermagate-client';
import type { ComponentChildren } from 'preact';
import { language } from '../../i18n/language.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Moment } from '../../staff/moment.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { LaneTable } from './lane-table.tsx';
import { useCounts } from './use-counts.ts';
import { WaitingBars } from './waiting-bars.tsx';

/** How the clinic is doing now: what waits, how long answers take, whether the AI service answers. */
export function DashboardPage() {
  const { dashboard } = officeTexts.value;
  const { counts, failure, isLive, again } = useCounts();
  return (
    <>
      <div class="staff-head">
        <PageTitle about="dashboard">{dashboard.title}</PageTitle>
        {counts !== undefined && <AsOf at={counts.at} isLive={isLive} />}
      </div>
      {failure !== undefined && <StaffFailure failure={failure} onRetry={again} />}
      {counts === undefined && failure === undefined && <Loading />}
      {counts !== undefined && <Counts counts={counts} />}
    </>
  );
}

function AsOf({ at, isLive }: { at: string; isLive: boolean }) {
  const { asOf, live, polled } = officeTexts.value.dashboard;
  const time = new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' }).format(new Date(at));
  return (
    <p class="as-of">
      <span class={isLive ? 'badge good' : 'badge'}>{isLive ? live : polled}</span>
      <time dateTime={at}>{fill(asOf, { time })}</time>
    </p>
  );
}

function Counts({ counts }: { counts: AnalyticsCounts }) {
  const { dashboard } = officeTexts.value;
  const { queue, ai, median_minutes_to_answer_24h: median } = counts;
  const waiting = Object.values(queue.by_triage).reduce((sum, each) => sum + each, 0);
  return (
    <>
      <dl class="figures">
        <Figure name={dashboard.waiting}>{number(waiting)}</Figure>
        <Figure name={dashboard.overdue} tone={queue.overdue > 0 ? 'bad' : undefined}>
          {number(queue.overdue)}
        </Figure>
        <Figure name={dashboard.oldestDue}>
          {queue.oldest_due_at === null ? staffTexts.value.none : <Moment at={queue.oldest_due_at} />}
        </Figure>
        <Figure name={dashboard.median}>
          {median === null ? dashboard.noAnswers : timeToAnswer(median)}
        </Figure>
        <Figure name={dashboard.inReview}>{number(counts.in_review)}</Figure>
        <Figure name={dashboard.onHold}>{number(counts.on_hold)}</Figure>
        <Figure name={dashboard.answered}>{number(counts.answered_last_hour)}</Figure>
        <Figure name={dashboard.active}>{number(counts.physicians_active)}</Figure>
        <Figure name={dashboard.ai} tone={aiTone[ai.state]}>
          {dashboard.aiStates[ai.state]}
          {ai.p95_ms !== null && <small>{fill(dashboard.aiLatency, { time: seconds(ai.p95_ms) })}</small>}
        </Figure>
      </dl>
      <div class="halves">
        <section class="panel" aria-labelledby="by-urgency">
          <h2 id="by-urgency">{dashboard.byUrgency}</h2>
          <WaitingBars waiting={queue.by_triage} />
        </section>
        <section class="panel" aria-labelledby="by-lane">
          <h2 id="by-lane">{dashboard.byLane}</h2>
          <LaneTable lanes={queue.by_lane} />
        </section>
      </div>
    </>
  );
}

const aiTone = { ok: 'good', degraded: 'warn', down: 'bad', unknown: undefined } as const;

interface FigureProps {
  name: string;
  tone?: 'good' | 'warn' | 'bad' | undefined;
  children: ComponentChildren;
}

function Figure({ name, tone, children }: FigureProps) {
  return (
    <div class={tone}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const unit = (value: number, of: 'minute' | 'hour' | 'second', digits: number) =>
  new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: of,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);

const timeToAnswer = (minutes: number) =>
  minutes < 90 ? unit(minutes, 'minute', 0) : unit(minutes / 60, 'hour', 1);
const seconds = (milliseconds: number) => unit(milliseconds / 1000, 'second', 1);
