/** A disease that is typed and not picked is no part of what is signed, though it is on the screen. */
export function isUnpicked(fieldId: string): boolean {
  const field = document.getElementById(fieldId) as HTMLInputElement | null;
  return field !== null && field.value.trim() !== '';
}
