import { completeAnamnesis } from '../../../test/endpoints/patients.ts';
import type { Ask, FormValue, UploadedFile } from '../../../test/endpoints/scenario.ts';
import { isFile } from '../../../test/endpoints/stage.ts';

const anamnesisFile = '../../dev/run/demo/anamnesis.json';

/** The file that a reader of the .http collection can upload in place of each; the others are not written. */
const files: Readonly<Partial<Record<UploadedFile['file'], string>>> = {
  photo: '../../.local/demo/skin.jpg',
  notAnImage: anamnesisFile,
};

/** Whether a person can send a request as it is: its files, and what goes before it. */
export const canBeWritten = ({ form = {}, raw, after = {} }: Ask): boolean =>
  raw === undefined &&
  !Object.values(after).some((earlier) => typeof earlier === 'object' && earlier.isHeld === true) &&
  Object.values(form).every((value) => !isFile(value) || files[value.file] !== undefined);

/** Content type, an empty line and the body, as a `.http` file has them; nothing without a body. */
export function bodyLines({ json, form }: Ask): string[] {
  if (form !== undefined) {
    return [
      'Content-Type: multipart/form-data; boundary=dermagate',
      '',
      ...Object.entries(form).flatMap(partLines),
      '--dermagate--',
    ];
  }
  return json === undefined ? [] : ['Content-Type: application/json', '', ...jsonLines(json)];
}

function partLines([name, value]: [string, FormValue]): string[] {
  if (!isFile(value)) {
    const lines = typeof value === 'string' ? [value] : jsonLines(value);
    return ['--dermagate', `Content-Disposition: form-data; name="${name}"`, '', ...lines];
  }
  return [
    '--dermagate',
    `Content-Disposition: form-data; name="${name}"; filename="skin.jpg"`,
    'Content-Type: image/jpeg',
    '',
    `< ${files[value.file]}`,
  ];
}

function jsonLines(value: unknown): string[] {
  if (value === completeAnamnesis) return [`< ${anamnesisFile}`];
  const short = oneLine(value);
  return short.length <= 110 ? [short] : withPlaces(JSON.stringify(value, null, 2)).split('\n');
}

/** Places as editors read them: a number's without quotes, and no place where the notation of Liquid is meant. */
const withPlaces = (json: string) =>
  json
    .replaceAll(/"\{\{#([^{}"]+)\}\}"/g, '{{$1}}')
    .replaceAll(/\{\{( [^{}]+ )\}\}/g, String.raw`\{\{$1\}\}`);

/** JSON on one line, with the spaces that people write. */
export const oneLine = (value: unknown): string =>
  withPlaces(JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' '));
