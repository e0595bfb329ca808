import { z } from 'zod';
import { Email } from '../domain/identity/users/user.schemas.ts';

/** @throws an error that names the wrong argument and repeats `usage` */
export function parsePerson(
  { email, uuid }: { email?: string | undefined; uuid?: string | undefined },
  usage: string,
): { email: string } | { uuid: string } {
  if ((email === undefined) === (uuid === undefined)) throw new Error(usage);
  const address = Email.safeParse(email);
  if (email !== undefined && address.success) return { email: address.data };
  const id = z.uuid().safeParse(uuid);
  if (uuid !== undefined && id.success) return { uuid: id.data };
  throw new Error(
    `${email === undefined ? '--uuid is not a UUID' : '--email is not an email address'}.\n${usage}`,
  );
}
