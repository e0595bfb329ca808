import demoAnamnesis from '../../dev/run/demo/anamnesis.json' with { type: 'json' };
import type { RequestOptions } from './app.ts';
import { multipart, type Part } from './multipart.ts';

/** A complete questionnaire that raises no flag; as JSON, because tests change and break it. */
export const anamnesis: Readonly<Record<string, unknown>> = demoAnamnesis;

/** The same with answers that are an emergency by our own rules, whatever the AI service says. */
export const emergencyAnamnesis = {
  ...anamnesis,
  symptoms: { ...demoAnamnesis.symptoms, emergency: ['difficulty_breathing'] },
};

export const imagePart = (body: Uint8Array, changes: Partial<Part> = {}): Part => ({
  name: 'image',
  filename: 'photo.jpg',
  type: 'image/jpeg',
  body,
  ...changes,
});

export const anamnesisPart = (value: unknown = anamnesis): Part => ({
  name: 'anamnesis',
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

/** A multipart request with these parts, for `app.request('/api/diagnosis', …)`. */
export function upload(parts: readonly Part[], options: RequestOptions = {}): RequestOptions {
  const { body, contentType } = multipart(parts);
  const headers = { 'content-type': contentType, ...(options.headers as Record<string, string>) };
  return { method: 'POST', ...options, body, headers };
}
