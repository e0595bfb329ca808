import { expect, test } from 'vitest';
import { caseStates } from './case-states.ts';
import { transitionNames, transitionOf } from '../../../src/domain/cases/record/transitions.ts';

const picture = caseStates().split('\n');

test('every transition that changes the status is in the picture of the states, and no other', () => {
  const drawn = picture.filter((line) => line.includes('-->')).flatMap((line) => line.match(/\w+(?=<br|$)/g));
  const moving = transitionNames.filter((name) => {
    const { from, to } = transitionOf(name);
    return (
      to !== 'same' && (from.length === 0 || from.some((place) => !to.every((end) => isSame(place, end))))
    );
  });
  expect(new Set(drawn)).toEqual(new Set<string>(moving));
});

test('what is possible from every status of a group is drawn once', () => {
  expect(picture.filter((line) => line.endsWith(': cancel'))).toEqual(['  Open --> cancelled: cancel']);
  expect(picture.filter((line) => line.endsWith(': reopen'))).toHaveLength(2);
});

const isSame = (place: string, end: string) => place.split('/')[0] === end.split('/')[0];
