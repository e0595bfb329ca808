import { expect, test } from 'vitest';
import { schemaOf } from '../generate.ts';

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Any', version: '1' },
  paths: {},
  components: {
    schemas: {
      Upload: {
        type: 'object',
        required: ['image', 'anamnesis'],
        properties: {
          image: { type: 'string', contentMediaType: 'application/octet-stream' },
          anamnesis: {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: { $ref: '#/components/schemas/Anamnesis' },
          },
          note: { type: 'string', default: 'none' },
        },
      },
      Anamnesis: {
        type: 'object',
        additionalProperties: false,
        properties: { ageYears: { type: 'integer' } },
      },
    },
  },
});

test('a part of a form has the type of the caller’s value, and an optional field may be undefined', async () => {
  const schema = await schemaOf(document);
  expect(schema).toContain('image: Blob;');
  expect(schema).toContain('anamnesis: components["schemas"]["Anamnesis"];');
  expect(schema).toContain('note?: string | undefined;');
  expect(schema).toContain('ageYears?: number | undefined;');
  expect(schema).toContain("export type Anamnesis = components['schemas']['Anamnesis'];");
});

test('the same document gives the same text', async () => {
  expect(await schemaOf(document)).toBe(await schemaOf(document));
});
