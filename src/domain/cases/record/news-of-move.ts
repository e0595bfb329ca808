import type { NewsKind } from '../../announce/news/news.ts';
import type { PendingStatus } from './case-status.ts';
import type { TransitionName } from './transitions.ts';

const told: Partial<Record<TransitionName, NewsKind>> = {
  ask_patient: 'patient_asked',
  remind: 'patient_reminded',
  refuse: 'not_eligible',
  expire: 'expired',
  publish: 'answer_published',
  amend: 'answer_amended',
  assign: 'assigned',
};

/** What a move tells people, if anything. @param pending what the case waits for afterwards. */
export function newsKindOf(name: TransitionName, pending: PendingStatus | null): NewsKind | undefined {
  const isHeld = name === 'hold' || name === 'change_pending_status';
  if (isHeld) return pending === 'awaiting_patient' ? 'patient_asked' : undefined;
  return told[name];
}
