import { staffCalls } from 'dermagate-client/staff';
import { dermagate } from './gateway.ts';

/** The calls of physicians and admins; loaded with their areas only. */
export const staff = staffCalls(dermagate);
