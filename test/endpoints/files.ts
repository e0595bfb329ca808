import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawDemoPhoto } from '../../dev/run/demo/photo.ts';
import { blankPng, encodePng, mapPixels } from '../support/images.ts';
import type { Part } from '../support/multipart.ts';
import type { UploadedFile } from './scenario.ts';

type FileName = UploadedFile['file'];

/** As clients name and announce them. */
const described: Readonly<Record<FileName, { filename: string; type: string }>> = {
  photo: { filename: 'photo.jpg', type: 'image/jpeg' },
  grey: { filename: 'grey.png', type: 'image/png' },
  notAnImage: { filename: 'report.pdf', type: 'image/jpeg' },
  tooManyPixels: { filename: 'huge.png', type: 'image/png' },
};

const bytes: Readonly<Record<FileName, () => Promise<Uint8Array>>> = {
  photo: demoPhoto,
  // Of one colour, so that its base64 is short.
  grey: async () => encodePng(mapPixels(16, 16, () => [200, 150, 130])),
  notAnImage: async () => Buffer.from('%PDF-1.7'),
  tooManyPixels: async () => blankPng(10_000, 8000),
};

const made = new Map<FileName, Promise<Uint8Array>>();

/** The part of a form that uploads a file. */
export async function filePart(name: string, { file }: UploadedFile): Promise<Part> {
  const body = made.get(file) ?? bytes[file]();
  made.set(file, body);
  return { name, ...described[file], body: await body };
}

/** As curl names it: how the OpenAPI document shows a file. */
export const shownFile = ({ file }: UploadedFile): string => `@${described[file].filename}`;

async function demoPhoto(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  try {
    const file = join(folder, 'photo.jpg');
    await drawDemoPhoto(file);
    return new Uint8Array(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
