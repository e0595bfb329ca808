import {
  createDermagate,
  type DermagateError,
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
  await api.session.logIn(credentials).catch((cause: unknown) => {
    const { status } = cause as DermagateError;
    throw new Error(
      status === undefined
        ? `No gateway answers at ${url}. npm start starts one.`
        : `The gateway refused the login as ${credentials.email}: ${status}`,
      { cause },
    );
  });
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
