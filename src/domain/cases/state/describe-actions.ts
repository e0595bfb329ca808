// What documents say of actions, from the transitions: it cannot fall behind them.
import { holds, type Place, standingAt } from './case-status.ts';
import {
  allowedActions,
  type Party,
  type TransitionName,
  transitionNames,
  transitionOf,
} from './transitions.ts';

const parties: Record<Party, string> = {
  account: 'its patient’s account',
  staff: 'staff',
  physician: 'the physician who has it',
  system: 'the service',
};

/** One list item for each action: who may do it, and to a case of which statuses. */
export function describeActions(names: readonly TransitionName[]): string {
  return names.map((name) => `- \`${name}\`, by ${partiesOf(name)}: ${statusesOf(name)}`).join('\n');
}

/** Every action that `party` may have in `allowed_actions`, such as `` `update`, `submit` ``. */
export function listActions(party: Party): string {
  return transitionNames
    .filter((name) => transitionOf(name).from.some((place) => allowedActions(place, party).includes(name)))
    .map((name) => `\`${name}\``)
    .join(', ');
}

const partiesOf = (name: TransitionName) =>
  transitionOf(name)
    .by.map((party) => parties[party])
    .join(' or ');

function statusesOf(name: TransitionName): string {
  const { from } = transitionOf(name);
  const statuses = from.map((place) => `\`${isAnyHold(from, place) ? 'on_hold' : place}\``);
  return [...new Set(statuses)].join(', ');
}

/** Four holds that all allow it are one status. */
const isAnyHold = (from: readonly Place[], place: Place): boolean =>
  standingAt(place).status === 'on_hold' && holds.every((hold) => from.includes(hold));
