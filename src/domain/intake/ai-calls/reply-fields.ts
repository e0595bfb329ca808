import { z } from 'zod';

/** Members that an AI service may add to any reply; the gateway passes them on unchanged. */
export const replyNotes = {
  notice: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'A notice about the limits of the AI service, in the language of the request: show it to the user.',
    ),
  modelVersion: z.string().max(100).optional().describe('Version of the model that replied.'),
};

/** Telephone numbers of this deployment, in every reply that may advise a call. */
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

/** For `omit` on replies of the AI service: only the deployment names whom to call. */
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
