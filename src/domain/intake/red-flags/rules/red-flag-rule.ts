import type { RedFlagUrgency } from '../red-flags.schemas.ts';
import type { Flag } from '../flag-text.ts';
import type { Condition } from '../answer-logic.ts';

export interface RedFlagRule {
  /** `RF01` and on: stable, for tests, documents and records. */
  id: string;
  /** Several rules may raise one flag, with different urgencies. */
  flag: Flag;
  urgency: RedFlagUrgency;
  /** Guideline and section, or the reference that the rule follows. */
  source: string;
  /**
   * The rule's own key finding. While it is met and only open answers stand against the rest, the rule cannot be
   * excluded.
   */
  key: Condition;
  /** What else must be met; absent, the key finding alone is enough. */
  when?: Condition;
  /** Speaks only when no other rule is met with urgency emergency. */
  unlessOtherEmergency?: true;
}
