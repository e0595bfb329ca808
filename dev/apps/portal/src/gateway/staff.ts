// The calls of physicians and admins, in a file of their own: patients do not load them.
import { staffCalls } from 'dermagate-client/staff';
import { dermagate } from './gateway.ts';

export const staff = staffCalls(dermagate);
