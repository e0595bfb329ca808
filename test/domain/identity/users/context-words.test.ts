import { expect, test } from 'vitest';
import { contextWords } from '../../../../src/domain/identity/users/context-words.ts';

const words = contextWords('jo.van-dyke+skin@mail.northclinic.example', {
  name: 'Clínica del Norte',
  slug: 'clinica-norte',
});

test('the service, its field and the roles are there for everybody', () => {
  expect(words).toEqual(
    expect.arrayContaining(['dermagate', 'dermatology', 'patient', 'physician', 'admin', 'administrator']),
  );
});

test('the address is there whole and in parts, without its top-level domain', () => {
  expect(words).toEqual(
    expect.arrayContaining(['jo.van-dyke+skin', 'jo', 'van', 'dyke', 'skin', 'mail', 'northclinic']),
  );
  expect(words).not.toContain('example');
});

test('the tenant is there by name and slug, whole and in parts', () => {
  expect(words).toEqual(
    expect.arrayContaining([
      'Clínica del Norte',
      'Clínica',
      'del',
      'Norte',
      'clinica-norte',
      'clinica',
      'norte',
    ]),
  );
});
