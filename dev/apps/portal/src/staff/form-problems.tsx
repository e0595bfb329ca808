import type { Failure } from '../gateway/failure.ts';
import { staffTexts } from './i18n/texts.ts';
import { ErrorSummary, type FieldProblem } from './error-summary.tsx';
import { StaffFailure, staffReason } from './staff-failure.tsx';
import { WarningIcon } from '../ui/icons.tsx';

interface FormProblemsProps {
  failure: Failure | undefined;
  /** Of the fields, found here or by the gateway. */
  problems: readonly FieldProblem[];
  /** Of a form about something that others change too. */
  onTakeTheirs?: (() => void) | undefined;
  onKeepMine?: (() => void) | undefined;
}

/** Above a form: why it was not saved. Its entries stay in every case. */
export function FormProblems({ failure, problems, onTakeTheirs, onKeepMine }: FormProblemsProps) {
  if (problems.length > 0) return <ErrorSummary problems={problems} />;
  if (failure === undefined) return null;
  if (failure.reason !== 'version_conflict' || onTakeTheirs === undefined || onKeepMine === undefined)
    return <StaffFailure failure={failure} />;
  const { takeTheirs, keepMine } = staffTexts.value;
  return (
    <div class="notice failure" role="alert">
      <WarningIcon />
      <div>
        <p>{staffReason(failure)}</p>
        <div class="actions">
          <button type="button" class="outline" onClick={onTakeTheirs}>
            {takeTheirs}
          </button>
          <button type="button" class="outline" onClick={onKeepMine}>
            {keepMine}
          </button>
        </div>
      </div>
    </div>
  );
}
