/** A day where the user is, as a date field has it; 0 is today. */
export function dayAfter(days: number): string {
  const now = new Date();
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  // As if it were UTC, so that no offset moves it.
  return new Date(Date.UTC(year, month, day + days)).toISOString().slice(0, 10);
}
