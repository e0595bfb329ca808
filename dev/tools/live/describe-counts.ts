import type { LiveCounts } from '../../packages/client/src/staff.ts';

/** One line. */
export function describeCounts({ at, queue, in_review, on_hold, ai, ...counts }: LiveCounts): string {
  const waiting = Object.entries(queue.by_triage).flatMap(([level, count]) =>
    count === 0 ? [] : [`${count} ${level}`],
  );
  return [
    at.slice(11, 19),
    `waiting: ${waiting.join(', ') || 'none'} (${queue.overdue} overdue)`,
    `in review: ${in_review}`,
    `on hold: ${on_hold}`,
    `answered in the last hour: ${counts.answered_last_hour}`,
    `physicians active: ${counts.physicians_active}`,
    `AI: ${ai.state}`,
  ].join('  ');
}
