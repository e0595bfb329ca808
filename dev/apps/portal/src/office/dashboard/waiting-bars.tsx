import type { AnalyticsCounts, TriageLevel } from 'dermagate-client';
import { number } from '../../i18n/format.ts';
import { staffTexts } from '../../staff/i18n/texts.ts';

const levels: readonly TriageLevel[] = ['emergency', 'urgent_24h', 'soon_2_weeks', 'routine', 'self_care'];

/** Waiting cases by urgency: the figures are text, the bars beside them compare. */
export function WaitingBars({ waiting }: { waiting: AnalyticsCounts['queue']['by_triage'] }) {
  const most = Math.max(1, ...Object.values(waiting));
  return (
    <dl class="bars">
      {levels.map((level) => (
        <div key={level} class={level}>
          <dt>{staffTexts.value.triage[level]}</dt>
          <dd>
            <span class="bar" aria-hidden="true">
              <span style={{ inlineSize: `${(100 * waiting[level]) / most}%` }} />
            </span>
            {number(waiting[level])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
