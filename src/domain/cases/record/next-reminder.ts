const dayMs = 24 * 60 * 60 * 1000;

/**
 * When a patient of whom something is asked is reminded next; null after the last reminder.
 * @param heldAt when it was asked.
 * @param days after which a reminder is due, in any order.
 */
export function nextReminder(heldAt: Date, days: readonly number[], after: Date): Date | null {
  const due = days.map((day) => heldAt.getTime() + day * dayMs).filter((at) => at > after.getTime());
  return due.length === 0 ? null : new Date(Math.min(...due));
}
