/** The purpose that a device's token is sealed for. */
export const deviceTokenPurpose = (uuid: string): string => `push_device:${uuid}`;
