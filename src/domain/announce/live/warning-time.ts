/** How long before its end a lease or a session is announced, at least. */
const aheadMs = 2 * 60 * 1000;
/** Time between two runs of the timer that announces them: a minute, and what runs before it in the same minute. */
const betweenRunsMs = 90 * 1000;

/** Until when something must end to be announced at `now`; a later run announces it in time otherwise. */
export const announcedUntil = (now: Date): Date => new Date(now.getTime() + aheadMs + betweenRunsMs);
