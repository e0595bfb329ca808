import { z } from 'zod';
import {
  ComplaintCategory,
  Course,
  Duration,
  Impact,
  OnsetSpeed,
  Progression,
  Trigger,
} from '../vocabulary/complaint.ts';
import { manyOf, text } from './fields.ts';

export const Complaint = z
  .strictObject({
    category: ComplaintCategory,
    description: text(1000).optional().describe('What else the patient wants to say.'),
    duration: Duration,
    onsetSpeed: OnsetSpeed.optional(),
    course: Course.optional(),
    progression: Progression.optional(),
    triggers: manyOf(Trigger).optional(),
    impact: Impact.optional(),
  })
  .meta({ id: 'Complaint', description: 'What the problem is and how it went.' });
