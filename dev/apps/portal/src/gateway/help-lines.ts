import { signal } from '@preact/signals';

/** From the last reply that contained it; pages without a reply of their own show it too. Undefined until the first one. */
export const emergencyNumber = signal<string>();

export function noteHelpLines(reply: { emergencyNumber?: string | undefined }): void {
  if (reply.emergencyNumber !== undefined) emergencyNumber.value = reply.emergencyNumber;
}
