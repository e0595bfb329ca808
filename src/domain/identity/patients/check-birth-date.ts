import { Problem } from '../../../contract/problem.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * A day of birth has begun somewhere on earth.
 * @param pointer of the field.
 * @throws {Problem} `validation_error`
 */
export function checkBirthDate(birthDate: string | undefined, pointer: string, now: Date): void {
  const tomorrow = new Date(now.getTime() + dayMs).toISOString().slice(0, 10);
  if (birthDate === undefined || birthDate <= tomorrow) return;
  const message = 'Must not be in the future.';
  throw new Problem('validation_error', { errors: [{ pointer, code: 'invalid_value', message }] });
}
