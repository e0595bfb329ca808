import { texts } from './language.ts';

/** Why the gateway refused a field, in the user's language; `code` is the gateway's. */
export function fieldText(code: string, isEmail: boolean): string {
  const { fields } = texts.value;
  if (isEmail && code === 'invalid_format') return fields.invalid_email;
  return code in fields ? fields[code as keyof typeof fields] : fields.other;
}
