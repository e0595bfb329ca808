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
    description: text(1000).optional().describe('Anything else that the patient wants to add.'),
    duration: Duration,
    onsetSpeed: OnsetSpeed.optional(),
    course: Course.optional(),
    progression: Progression.optional(),
    triggers: manyOf(Trigger).optional(),
    impact: Impact.optional(),
  })
  .meta({ id: 'Complaint', description: 'The problem and its course.' });
