import { publishAnswers } from '../domain/answers/annotations/publish-answers.ts';
import { everyMinute } from '../lib/timers/schedule.ts';
import { timer } from '../lib/timers/timer.ts';

export const publishAnswersTimer = timer({
  name: 'publishAnswers',
  schedule: everyMinute,
  summary: 'Publish signed answers once they can no longer be undone',
  async run(context) {
    return { ...(await publishAnswers(context, context.clock.now())) };
  },
});
