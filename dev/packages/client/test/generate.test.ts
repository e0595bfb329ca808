import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { makeClientTypes, operationsOf, schemaOf } from '../generate.ts';

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

test('every operation is listed with its method and path', () => {
  const operation = (operationId: string) => ({ operationId, responses: {} });
  const paths = { '/a/{id}': { get: operation('getA'), delete: operation('dropA') } };
  const list = operationsOf(JSON.stringify({ paths }));
  expect(list).toContain("getA: ['get', '/a/{id}'],\n  dropA: ['delete', '/a/{id}'],");
});

test('several at once leave two complete files, no older than what they are made from', async () => {
  const root = tempFolder();
  const src = join(root, 'dev', 'packages', 'client', 'src');
  mkdirSync(src, { recursive: true });
  mkdirSync(join(root, 'docs'));
  const openapi = join(root, 'docs', 'openapi.json');
  writeFileSync(openapi, document);
  await Promise.all([makeClientTypes(root), makeClientTypes(root), makeClientTypes(root)]);
  expect(globSync('*', { cwd: src }).toSorted()).toEqual(['operations.ts', 'schema.ts']);
  expect(readFileSync(join(src, 'schema.ts'), 'utf8')).toBe(await schemaOf(document));
  for (const file of ['operations.ts', 'schema.ts'])
    expect(statSync(join(src, file)).mtimeMs).toBeGreaterThanOrEqual(statSync(openapi).mtimeMs);
});
