import { emptyIntake, type Intake } from './intake.ts';

/** sessionStorage: the answers outlive a reload and a lost session, and end with the tab. */
const PREFIX = 'dermagate.intake.';

export function loadIntake(userUuid: string): Intake {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + userUuid) ?? 'null');
    return isIntake(kept) ? kept : emptyIntake;
  } catch {
    return emptyIntake;
  }
}

export function keepIntake(userUuid: string, intake: Intake): void {
  sessionStorage.setItem(PREFIX + userUuid, JSON.stringify(intake));
}

/** Removes the answers of everybody, or of everybody else. */
export function forgetIntakes({ except }: { except?: string }): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && key !== `${PREFIX}${except}`) sessionStorage.removeItem(key);
  }
}

/** Whether an entry is of today's shape; an older portal may have written it. */
function isIntake(value: unknown): value is Intake {
  const { steps, drafts } = (value ?? {}) as Partial<Intake>;
  return Array.isArray(steps) && typeof drafts === 'object' && drafts !== null;
}
