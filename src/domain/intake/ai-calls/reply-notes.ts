import { z } from 'zod';

/** What an AI service may say about any of its replies; the gateway passes both on unchanged. */
export const replyNotes = {
  notice: z
    .string()
    .max(1000)
    .optional()
    .describe('What the AI service says about its own limits, in the language of the request: show it.'),
  modelVersion: z.string().max(100).optional().describe('Version of the model that replied.'),
};
