import { publishAnswers } from '../domain/answers/annotations/publish-answers.ts';
import { timer } from '../lib/app/timer.ts';

export const publishAnswersTimer = timer({
  name: 'publishAnswers',
  schedule: '25 * * * * *',
  summary: 'Publish signed answers once they can no longer be undone',
  async run(context) {
    return { ...(await publishAnswers(context, context.clock.now())) };
  },
});
