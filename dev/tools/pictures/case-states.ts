// The picture of the states of a case, drawn from the constant that the app itself obeys.
import { CaseStatus } from '../../../src/domain/cases/record/case-status.ts';
import { transitionNames, transitionOf } from '../../../src/domain/cases/record/transitions.ts';

/** A transition from every status of a group is drawn once, from the group; its box has these lines. */
const groups: Readonly<Record<string, readonly (readonly CaseStatus[])[]>> = {
  Open: [
    ['draft', 'submitted'],
    ['queued', 'in_review', 'on_hold'],
  ],
  Ended: [
    ['closed', 'ineligible'],
    ['cancelled', 'expired'],
  ],
};

const statusesOf = (places: readonly string[]) =>
  new Set(places.map((place) => CaseStatus.parse(place.split('/')[0])));

/** Where an edge begins: groups in place of all of their statuses. */
function startsOf(from: ReadonlySet<CaseStatus>): string[] {
  const whole = Object.entries(groups).filter(([, lines]) =>
    lines.flat().every((status) => from.has(status)),
  );
  const covered = new Set(whole.flatMap(([, lines]) => lines.flat()));
  return [...whole.map(([name]) => name), ...[...from].filter((status) => !covered.has(status))];
}

/** Names of transitions by `from --> to`. What leaves the status as it is has no edge. */
function edges(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of transitionNames) {
    const { from, to } = transitionOf(name);
    if (to === 'same') continue;
    const ends = statusesOf(to);
    for (const end of ends) {
      const starts = from.length === 0 ? ['[*]'] : startsOf(statusesOf(from));
      for (const start of starts.filter((start) => start !== end)) {
        const edge = `${start} --> ${end}`;
        found.set(edge, [...(found.get(edge) ?? []), name]);
      }
    }
  }
  return found;
}

/** Mermaid: every status of a case, and what leads from one to another. */
export function caseStates(): string {
  const boxes = Object.entries(groups).map(
    ([name, lines]) => `  state "${lines.map((line) => line.join(', ')).join(',<br/>')}" as ${name}`,
  );
  const drawn = [...edges()].map(([edge, names]) => `  ${edge}: ${names.join('<br/>')}`);
  return [
    'stateDiagram-v2',
    '  accTitle: The statuses of a case and what leads from one to another',
    '  direction TB',
    ...boxes,
    ...drawn,
    '',
  ].join('\n');
}
