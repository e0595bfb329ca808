import { signal } from '@preact/signals';

/** Of the last reply that named it; pages without a reply of their own show it too. */
export const emergencyNumber = signal<string>();

export function noteHelpLines(reply: { emergencyNumber?: string | undefined }): void {
  if (reply.emergencyNumber !== undefined) emergencyNumber.value = reply.emergencyNumber;
}
