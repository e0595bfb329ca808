import type { Page } from 'playwright-core';
import { register } from './accounts.ts';
import type { TestApp } from './app.ts';
import { createCase } from './cases.ts';
import { anamnesis as harmless } from './diagnosis.ts';
import { skinPhoto } from './images.ts';
import type { TestPortal, VisitOptions, Visitor } from './portal.ts';
import { newPhysician, type Physician, type PhysicianOptions } from './queue-stage.ts';
import { storePhoto } from './stored-images.ts';
import { storeTokens } from './stored-tokens.ts';

type App = TestApp<'real'>;

export interface SentCase {
  uuid: string;
  /** Of the patient's account. */
  token: string;
}

let drawn = 0;

/** A case with a photo as a patient's app sends it; analysed and queued when this returns. */
export async function sendCase(
  app: App,
  { anamnesis = harmless, by }: { anamnesis?: object; by?: string } = {},
): Promise<SentCase> {
  const token = by ?? (await register(app)).access_token;
  // Another size each time: the same photo again would be a duplicate.
  drawn += 2;
  const photo = await skinPhoto({ format: 'jpeg', width: 800 + drawn, height: 600 });
  const { uuid: name } = await storePhoto(app, token, photo);
  const consent = { version: '1', accepted: true };
  const made = await createCase(app, token, { anamnesis, images: [{ name }], submit: true, consent });
  if (made.status >= 300) throw new Error(`create: ${made.status} ${made.code}`);
  return { uuid: made.uuid, token };
}

export interface DeskVisitor extends Visitor {
  physician: Physician;
}

/** A physician with a browser at the desk. */
export async function physicianAtDesk(
  portal: TestPortal<'real'>,
  { physician, ...visit }: VisitOptions & { physician?: PhysicianOptions | Physician } = {},
): Promise<DeskVisitor> {
  const known =
    physician !== undefined && 'account' in physician ? physician : await newPhysician(portal.app, physician);
  const stored = (page: Page) => storeTokens(page, known.account);
  const visitor = await portal.visit({ viewport: { width: 1280, height: 900 }, ...visit, stored });
  await visitor.page.locator('.desk h1').waitFor();
  return { ...visitor, physician: known };
}

/** What is focused: its id, else the name of its element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.localName');
