import {
  createDermagate,
  inMemory,
  type Language,
  type LoginRequest,
} from '../../packages/client/src/index.ts';
import { gateway, type Photo } from '../intake/backends.ts';
import type { TriedGateway } from './tried-gateway.ts';

/**
 * A running gateway, for a patient who logs in. The photo is stored and checked only once.
 * @throws {Error} when nothing answers or the login is refused.
 */
export async function runningGateway(
  url: string,
  credentials: LoginRequest,
  language: Language,
): Promise<TriedGateway> {
  const api = createDermagate({ baseUrl: url, tokens: inMemory(), redirect: 'error' });
  const login = await api.logIn(credentials).catch((cause: unknown) => {
    throw new Error(`No gateway answers at ${url}. npm start starts one.`, { cause });
  });
  if (login.data === undefined) {
    throw new Error(`The gateway refused the login as ${credentials.email}: ${login.response.status}`);
  }
  const backend = gateway(api, language);
  return {
    ...backend,
    keepPhoto: memoize((photo: Photo) => backend.keepPhoto(photo)),
    judgePhoto: memoize((photo: Photo) => backend.judgePhoto(photo)),
  };
}

function memoize<Given, Answer>(ask: (given: Given) => Promise<Answer>): (given: Given) => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return (given) => (answer ??= ask(given));
}
