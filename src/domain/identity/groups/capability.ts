import { z } from 'zod';

/** What a group lets its members do beyond their role. Admins may do all of it. */
export const Capability = z
  .enum([
    'case.audit',
    'case.assign',
    'case.reopen',
    'case.cancel',
    'triage.lower',
    'template.shared',
    'import.run',
    'analytics.read',
    'phi.export',
    'on_call',
  ])
  .meta({ id: 'Capability', description: 'What a group lets its members do beyond their role.' });
export type Capability = z.infer<typeof Capability>;
