import {
  createDermagate,
  type Dermagate,
  type DermagateOptions,
  inMemory,
} from '../../dev/packages/client/src/index.ts';
import { freshAddress, freshEmail, from, goodPassword } from './accounts.ts';

/** A client of an app under test, at an address of its own; in memory where nothing else is said. */
export function clientOf(app: { url: string }, options: Partial<DermagateOptions> = {}): Dermagate {
  return createDermagate({ baseUrl: app.url, tokens: inMemory(), headers: from(freshAddress()), ...options });
}

/** The same, with a new patient signed in. */
export async function patientOf(app: { url: string }, options: Partial<DermagateOptions> = {}) {
  const api = clientOf(app, options);
  const credentials = { email: freshEmail('patient'), password: goodPassword };
  await api.session.register({ ...credentials, role: 'patient' });
  return { api, ...credentials };
}
