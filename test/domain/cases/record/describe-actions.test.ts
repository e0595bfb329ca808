import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caseActionNames } from '../../../../src/domain/cases/patient/case-input.schemas.ts';
import { places } from '../../../../src/domain/cases/record/case-status.ts';
import { describeActions, listActions } from '../../../../src/domain/cases/record/describe-actions.ts';
import { allowedActions } from '../../../../src/domain/cases/record/transitions.ts';

interface Document {
  paths: Record<string, { post: { description: string } }>;
  components: { schemas: Record<string, { properties: Record<string, { description: string }> }> };
}

const openApi = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8'),
) as Document;

test.each(caseActionNames)('%s is described with each status that allows it, and no other', (action) => {
  const text = describeActions([action]);
  for (const place of places) {
    const [status = ''] = place.split('/');
    const isNamed = text.includes(`\`${place}\``) || text.includes(`\`${status}\``);
    const isAllowed = allowedActions(place, 'account').includes(action);
    expect([place, isNamed]).toEqual([place, isAllowed]);
  }
});

test('the actions listed for an account are those that some status allows', () => {
  const possible = new Set(places.flatMap((place) => allowedActions(place, 'account')));
  const listed = [...listActions('account').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(new Set<string | undefined>(listed)).toEqual(possible);
});

test('the published document says so', () => {
  const { description } = openApi.paths['/api/v1/mobile/cases/{uuid}/status']?.post ?? { description: '' };
  expect(description).toContain(describeActions(caseActionNames));
  const update = openApi.paths['/api/v1/mobile/cases/update']?.post ?? { description: '' };
  expect(update.description).toContain(describeActions(['update']));
  expect(openApi.components.schemas['MobileCase']?.properties['allowed_actions']?.description).toContain(
    listActions('account'),
  );
});
