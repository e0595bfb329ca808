import { emptyIntake, type Intake } from './intake.ts';

/** In sessionStorage the answers survive a reload and a lost session, and end with the tab. */
const PREFIX = 'dermagate.intake.';

export function loadIntake(userUuid: string): Intake {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + userUuid) ?? 'null');
    return isIntake(stored) ? stored : emptyIntake;
  } catch {
    return emptyIntake;
  }
}

export function saveIntake(userUuid: string, intake: Intake): void {
  sessionStorage.setItem(PREFIX + userUuid, JSON.stringify(intake));
}

/** Removes the stored answers of all users, or of all but one. */
export function removeIntakes({ except }: { except?: string | undefined } = {}): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && key !== `${PREFIX}${except}`) sessionStorage.removeItem(key);
  }
}

/** Whether an entry has the current shape; an older portal may have written it. */
function isIntake(value: unknown): value is Intake {
  const { steps, drafts } = (value ?? {}) as Partial<Intake>;
  return Array.isArray(steps) && typeof drafts === 'object' && drafts !== null;
}
