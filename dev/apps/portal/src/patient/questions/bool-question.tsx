import type { EntryProps } from './entry-props.ts';
import { RadioQuestion } from './radio-question.tsx';

/** Yes or no, with the gateway's labels; without values the first label means yes. */
export function BoolQuestion({ question, ...rest }: EntryProps) {
  return <RadioQuestion question={{ optionValues: [true, false], ...question }} {...rest} />;
}
