/** Returns the focus when `work` has ended: a part of the page that is inert meanwhile loses it. */
export async function keepFocus(work: Promise<unknown>): Promise<void> {
  const place = document.activeElement as HTMLElement | null;
  await work;
  requestAnimationFrame(() => place?.focus());
}
