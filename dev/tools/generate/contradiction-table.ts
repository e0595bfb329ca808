// The table of docs/clinical-rules.md of what may be signed: every action, by flags and triage level.
import { contradictionsOf } from '../../../src/domain/answers/annotations/contradictions.ts';
import { RedFlagUrgency } from '../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import { RecommendedAction, TriageLevel } from '../../../src/domain/intake/triage/triage.schemas.ts';

const flags = [null, ...RedFlagUrgency.options] as const;
const levels = [null, ...TriageLevel.options] as const;

/** Head and rows: a row for each pair of flag and level, a column for each action. */
export function contradictionTable(): { head: string[]; rows: string[][] } {
  const named = (code: string | null) => (code === null ? 'none' : `\`${code}\``);
  return {
    head: ['Flag that is met', 'Triage level', ...RecommendedAction.options.map(named)],
    rows: flags.flatMap((metFlag) =>
      levels.map((triageLevel) => [
        named(metFlag),
        named(triageLevel),
        ...RecommendedAction.options.map((action) => verdictOn({ action, metFlag, triageLevel })),
      ]),
    ),
  };
}

function verdictOn(cell: {
  action: RecommendedAction;
  metFlag: RedFlagUrgency | null;
  triageLevel: TriageLevel | null;
}): string {
  const found = contradictionsOf({
    ...cell,
    hasEmergencyDiagnosis: false,
    isConfirmed: false,
    photosOk: true,
  });
  if (found.length === 0) return 'allowed';
  return found.some(({ is_emergency: isEmergency }) => isEmergency) ? '**refused**' : 'asked';
}
