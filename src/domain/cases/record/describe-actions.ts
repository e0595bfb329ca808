// What documents say of actions, from the transitions: it cannot fall behind them.
import { holds, type Place, places, standingAt } from './case-status.ts';
import {
  actionOf,
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

/** One list item for each action, as clients call it: who may do it, and to a case of which statuses. */
export function describeActions(names: readonly TransitionName[]): string {
  return names.map((name) => `- \`${name}\`, by ${partiesOf(name)}: ${statusesOf(name)}`).join('\n');
}

/** Every action that `party` may have in `allowed_actions`, such as `` `update`, `submit` ``. */
export function listActions(party: Party): string {
  const possible = new Set(places.flatMap((place) => allowedActions(place, party)));
  return transitionNames
    .filter((name) => possible.has(name))
    .map((name) => `\`${name}\``)
    .join(', ');
}

const named = (action: TransitionName) =>
  transitionNames.filter((name) => actionOf(name) === action).map(transitionOf);

const partiesOf = (action: TransitionName) =>
  [...new Set(named(action).flatMap(({ by }) => by))].map((party) => parties[party]).join(' or ');

function statusesOf(action: TransitionName): string {
  const from = named(action).flatMap((transition) => transition.from);
  const statuses = from.map((place) => `\`${isAnyHold(from, place) ? 'on_hold' : place}\``);
  return [...new Set(statuses)].join(', ');
}

/** Four holds that all allow it are one status. */
const isAnyHold = (from: readonly Place[], place: Place): boolean =>
  standingAt(place).status === 'on_hold' && holds.every((hold) => from.includes(hold));
