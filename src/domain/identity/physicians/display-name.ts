import { storedSettings } from './physician-settings.schemas.ts';

/** How a physician is called: title and name as they chose them, else a number. */
export function physicianName({ id, settings }: { id: number; settings: unknown }): string {
  const { display_name: name, title } = storedSettings(settings);
  return [title, name].filter(Boolean).join(' ') || `Physician ${id}`;
}
