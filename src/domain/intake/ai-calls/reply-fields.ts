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

/** Telephone numbers of this deployment, beside every advice that may need one. */
export const helpLineFields = {
  emergencyNumber: z
    .string()
    .max(20)
    .optional()
    .describe('Telephone number of the emergency services (`EMERGENCY_NUMBER`).'),
  crisisLine: z
    .string()
    .max(20)
    .optional()
    .describe('Telephone number of a crisis line; absent where none is configured (`CRISIS_LINE`).'),
};

/** For `omit` on what an AI service replies: whom to call is said by the deployment alone. */
export const ownHelpLines = { emergencyNumber: true, crisisLine: true } as const;

export interface HelpLines {
  emergencyNumber: string;
  crisisLine?: string;
}

export function helpLinesOf(config: {
  EMERGENCY_NUMBER: string;
  CRISIS_LINE?: string | undefined;
}): HelpLines {
  const { EMERGENCY_NUMBER: emergencyNumber, CRISIS_LINE: crisisLine } = config;
  return { emergencyNumber, ...(crisisLine !== undefined && { crisisLine }) };
}
