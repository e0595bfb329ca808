import type { Answer, Language } from '../../packages/client/src/index.ts';

/** A made-up patient, who leaves questions without an answer here open. */
export interface Persona {
  title: string;
  /** By `questionId`; without an index it answers for every item of a loop. Texts are by language. */
  answers: Readonly<Record<string, Answer | Readonly<Record<Language, string>>>>;
}

const well = {
  q_safety: ['none'],
  q_systemic: ['none'],
  q_immune: 'normal',
  q_swelling: ['none'],
} as const;

export const personas: readonly Persona[] = [
  {
    title: 'An itching rash',
    answers: {
      ...well,
      q_category: 'rash',
      q_location: ['arm', 'hand'],
      'q_location_detail[0]': ['elbow_crease', 'wrist'],
      'q_location_detail[1]': ['fingers'],
      q_duration: 'one_to_four_weeks',
      q_progression: 'slowly_worsening',
      q_symptoms: ['itching', 'burning'],
      q_pain: 2,
      q_types: ['papule', 'patch'],
      q_shape: 'irregular',
      q_colors: ['pink', 'red'],
      q_surface: ['scaly', 'scratch_marks'],
      q_distribution: 'flexural_surfaces',
      q_timing: 'worse_at_night',
      q_exposures: ['new_detergent'],
      q_med_any: true,
      q_med_name: {
        en: 'Hydrocortisone 1%',
        he: 'הידרוקורטיזון 1%',
        ar: 'هيدروكورتيزون 1%',
        es: 'Hidrocortisona 1%',
      },
      q_med_duration: 'less_than_one_week',
      q_med_improvement: 'slightly_better',
      q_med_start: 'after_problem_started',
      q_med_class: 'topical_steroid',
      q_skin_history: ['eczema'],
      q_allergies: ['metal_nickel'],
      q_age: 34,
      q_gender: 'female',
      q_pregnant: 'not_pregnant',
    },
  },
  {
    title: 'A mole that changes',
    answers: {
      q_progression: 'slowly_worsening',
      ...well,
      q_category: 'growth_or_mole',
      q_location: ['trunk_back'],
      q_location_detail: ['upper_back'],
      q_duration: 'more_than_one_year',
      q_symptoms: ['bleeding'],
      q_types: ['macule'],
      q_size: 'from_7_to_10_mm',
      q_changes: ['size', 'color'],
      q_sun: 'occasional_sunburn',
      q_med_any: false,
      q_allergies: ['none'],
      q_family: ['melanoma'],
      q_age: 61,
      q_gender: 'male',
      q_notes: {
        en: 'My partner noticed it on holiday.',
        he: 'הבחינו בזה בזמן חופשה.',
        ar: 'لوحظت أثناء العطلة.',
        es: 'Mi pareja lo notó en las vacaciones.',
      },
    },
  },
  {
    title: 'A child with fever and spots that fade under a glass',
    answers: {
      q_medical: ['none'],
      q_travel: 'none',
      ...well,
      q_age: 4,
      q_reporter: 'parent_guardian',
      q_systemic: ['fever', 'fatigue'],
      q_temperature: 38.6,
      q_med_any: false,
      q_types: ['macule', 'papule'],
      q_location: ['trunk_front', 'trunk_back'],
      q_location_detail: ['chest', 'abdomen'],
      q_side: 'both',
      q_symptoms: ['none'],
      q_category: 'rash',
      q_duration: 'one_day',
      q_colors: ['red', 'pink'],
      q_blanching: 'blanches',
      q_progression: 'slowly_worsening',
      q_mucosa: ['none'],
      q_surface: ['none'],
      q_swelling: ['none'],
      q_eyes: ['none'],
      q_extent: 'from_10_to_30_percent',
      q_count: 'more_than_twenty',
      q_shape: 'round',
      q_measles: 'complete',
      q_distribution: 'generalized',
      q_contacts: 'school_or_work',
      q_exposures: ['none'],
      q_skin_history: ['none'],
      q_allergies: ['none'],
      q_gender: 'female',
      q_notes: {
        en: 'She drinks and plays a little.',
        he: 'היא שותה ומשחקת מעט.',
        ar: 'إنها تشرب وتلعب قليلًا.',
        es: 'Bebe y juega un poco.',
      },
    },
  },
  { title: 'An emergency', answers: { q_safety: ['tongue_swelling', 'fainting'] } },
];

/** The answer of a persona to a question; undefined leaves it open. */
export function answerOf({ answers }: Persona, questionId: string, language: Language): Answer {
  const answer = answers[questionId] ?? answers[questionId.replace(/\[\d+\]$/, '')];
  if (typeof answer !== 'object' || Array.isArray(answer)) return answer as Answer;
  return (answer as Readonly<Record<Language, string>>)[language];
}
