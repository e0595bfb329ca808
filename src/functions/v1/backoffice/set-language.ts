import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { setLanguage } from '../../../domain/identity/users/set-language.ts';
import { Direction, directionOf } from '../../../domain/platform/texts/direction.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

const Chosen = z.object({ language: Language, direction: Direction }).meta({
  id: 'ChosenLanguage',
  description: 'The language as it is now.',
});

export const v1BackofficeSetLanguage = endpoint({
  name: 'v1BackofficeSetLanguage',
  method: 'POST',
  route: 'api/v1/backoffice/set-language',
  tag: 'Backoffice',
  summary: 'Set the language of the account',
  description: 'Used for mails to the account, and as a language that a physician reads.',
  auth: 'physician-level',
  audit: { category: 'auth', success: 'language_chosen', refusal: 'language_chosen' },
  body: z.strictObject({ language: Language }).meta({ id: 'LanguageChoice', description: 'A language.' }),
  reply: { status: 200, description: 'The language, and its direction.', body: Chosen },
  problems: [],
  async handler({ context, actor, body: { language } }) {
    await setLanguage(context, actor, language);
    return { language, direction: directionOf(language) };
  },
});
