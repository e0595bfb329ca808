/**
 * For the `keydown` of a form that signs: Enter in a field would press its button, and what is urgent can be read by the
 * patient at once.
 */
export function signByButton(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}
