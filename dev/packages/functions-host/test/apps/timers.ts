import { app } from '@azure/functions';
import { registerTimers } from './register-timers.ts';

registerTimers(app);
