// The results of a replay, as tables for a terminal.
import { percentile } from '../bench/statistics.ts';
import { table } from '../bench/table.ts';
import type { RedFlagUrgency, TriageLevel } from '../../packages/client/src/index.ts';
import { type CaseOutcome, routes } from './replay-one.ts';

export function report(outcomes: readonly CaseOutcome[]): string {
  return [
    title('Calls', calls(outcomes)),
    title('Refused and failed', refusals(outcomes)),
    title('Agreement with the label', agreement(outcomes)),
    title('Most urgent red flag and triage by label', byLabel(outcomes)),
    title('Red flags', flags(outcomes)),
    title('Photos', photos(outcomes)),
  ].join('\n');
}

/** Whether every call was answered. */
export function allAnswered(outcomes: readonly CaseOutcome[]): boolean {
  return outcomes.every(({ calls }) => calls.every(({ refusal }) => refusal === undefined));
}

const title = (text: string, body: string): string => `\n${text}\n${body}`;
const none = '  none';

function calls(outcomes: readonly CaseOutcome[]): string {
  const all = outcomes.flatMap(({ calls }) => calls);
  const rows = Object.values(routes).flatMap((route) => {
    const asked = all.filter((call) => call.route === route);
    if (asked.length === 0) return [];
    const answered = asked.filter(({ refusal }) => refusal === undefined);
    const sorted = answered.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const latencies = [50, 95, 99].map((percent) =>
      sorted.length === 0 ? '–' : percentile(sorted, percent).toFixed(1),
    );
    return [
      [`POST ${route}`, asked.length, answered.length, asked.length - answered.length, ...latencies].map(
        String,
      ),
    ];
  });
  return table(['', 'asked', 'answered', 'refused', 'p50 ms', 'p95 ms', 'p99 ms'], rows);
}

/** Counts a refusal once for each of its pointers. */
function refusals(outcomes: readonly CaseOutcome[]): string {
  const lines = outcomes.flatMap(({ calls }) =>
    calls.flatMap(({ route, refusal }) => {
      if (refusal === undefined) return [];
      const what = `${refusal.status === 0 ? 'no reply' : refusal.status} ${refusal.code}`;
      if (refusal.errors.length === 0) return [`${what}, POST ${route}`];
      return refusal.errors.map(({ pointer, code }) => `${what}, POST ${route}: ${code} ${pointer}`);
    }),
  );
  const counts = [...countBy(lines)].toSorted(([, a], [, b]) => b - a);
  return counts.length === 0
    ? none
    : table(
        ['', 'times'],
        counts.map(([line, count]) => [line, String(count)]),
      );
}

function agreement(outcomes: readonly CaseOutcome[]): string {
  const judged = outcomes.flatMap(({ replayed: { label }, predictions }) =>
    label === undefined || predictions === undefined ? [] : [{ label, predictions }],
  );
  if (judged.length === 0) return '  no case has a label that the catalogue knows';
  const within = (first: number) =>
    judged.filter(({ label, predictions }) =>
      predictions.slice(0, first).some(({ disease }) => disease === label),
    );
  const cells = [1, 3, 5].map((first) => `${((100 * within(first).length) / judged.length).toFixed(1)} %`);
  return table(['', 'cases', 'top 1', 'top 3', 'top 5'], [['labelled', String(judged.length), ...cells]]);
}

const urgencies: readonly RedFlagUrgency[] = ['emergency', 'high', 'medium', 'low'];
const levels: readonly TriageLevel[] = ['emergency', 'urgent_24h', 'soon_2_weeks', 'routine', 'self_care'];

function byLabel(outcomes: readonly CaseOutcome[]): string {
  const groups = Map.groupBy(outcomes, ({ replayed }) => replayed.label ?? '(no label in the catalogue)');
  const largest = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  const row = (label: string, group: readonly CaseOutcome[]) => {
    const raised = countBy(
      group.flatMap(({ red_flags: found }) => (found?.flags.length ? [found.urgency] : [])),
    );
    const triaged = countBy(group.flatMap(({ triage }) => triage?.priority ?? []));
    return [
      label,
      String(group.length),
      ...urgencies.map((urgency) => String(raised.get(urgency) ?? '')),
      ...levels.map((level) => String(triaged.get(level) ?? '')),
    ];
  };
  const head = ['', 'cases', ...urgencies.map((urgency) => `flag ${urgency}`), ...levels];
  return table(head, [...largest.map(([label, group]) => row(label, group)), row('all', outcomes)]);
}

function flags(outcomes: readonly CaseOutcome[]): string {
  const raised = outcomes.flatMap(({ replayed, red_flags: found }) =>
    (found?.flags ?? []).map((flag) => ({ flag, label: replayed.label ?? '–' })),
  );
  if (raised.length === 0) return none;
  const rows = [...Map.groupBy(raised, ({ flag }) => flag)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([flag, group]) => [flag, String(group.length), commonest(group.map(({ label }) => label))]);
  return table(['', 'cases', ''], rows);
}

function photos(outcomes: readonly CaseOutcome[]): string {
  const verdicts = outcomes.flatMap(({ image_validity: verdict }) => verdict ?? []);
  if (verdicts.length === 0) return none;
  const valid = verdicts.filter(({ isValid }) => isValid).length;
  const issues = commonest(verdicts.flatMap(({ issues }) => issues));
  return `  ${verdicts.length} judged, ${valid} valid${issues === '' ? '' : `; issues: ${issues}`}`;
}

const commonest = (words: readonly string[]): string =>
  [...countBy(words)]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
