// The vocabulary of the questionnaire, copied from the research, with what the red-flag rules needed since: what the schemas must say, no more and no less.

/** Field, type, and R for required, R* for one of the two, o for optional. */
export const fieldList = `
schemaVersion | "1" | R
language | Language | R
reporter | Reporter | o
patient.ageYears | int 0..120 | R*
patient.ageMonths | int 0..23 | o
patient.ageGroup | AgeGroup | R*
patient.gender | Gender | R
patient.sexAtBirth | SexAtBirth | o
patient.fitzpatrickSkinType | FitzpatrickSkinType | o
patient.sunReaction | SunReaction | o
patient.monkSkinTone | MonkSkinTone | o
patient.pregnancyStatus | PregnancyStatus | o
patient.pregnancyWeeks | int 1..44 | o
patient.babyMobility | BabyMobility | o
complaint.category | ComplaintCategory | R
complaint.description | text <=1000 | o
complaint.duration | Duration | R
complaint.onsetSpeed | OnsetSpeed | o
complaint.course | Course | o
complaint.progression | Progression | o
complaint.triggers | Trigger[] | o
complaint.impact | Impact | o
locations[].primary | LocationPrimary | R
locations[].secondary | LocationSecondary | o
locations[].side | LocationSide | o
locations[].isMain | bool | o
lesion.lesionTypes | LesionType[] | o
lesion.count | LesionCount | o
lesion.extent | BodySurfaceExtent | o
lesion.arrangement | Arrangement | o
lesion.distribution | Distribution | o
lesion.colors | Color[] | o
lesion.colorPattern | ColorPattern | o
lesion.shape | Shape | o
lesion.symmetry | Symmetry | o
lesion.border | BorderDefinition | o
lesion.size | Size | o
lesion.sizeMm | num 0.1..1000 | o
lesion.elevation | Elevation | o
lesion.textures | Texture[] | o
lesion.surfaceChanges | SurfaceChange[] | o
lesion.discharge | Discharge | o
lesion.blanching | Blanching | o
lesion.skinTemperature | SkinTemperature | o
lesion.changes | LesionChange[] | o
lesion.changeTimeframe | ChangeTimeframe | o
lesion.differentFromOthers | bool | o
lesion.swellingSites | SwellingSite[] | o
lesion.mucosalSites | MucosalSite[] | o
lesion.eyeSymptoms | EyeSymptom[] | o
lesion.nailChanges | NailChange[] | o
lesion.hairChanges | HairChange[] | o
symptoms.emergency | EmergencySymptom[] | R
symptoms.local | LocalSymptom[] | R
symptoms.itchSeverity | int 0..10 | o
symptoms.painSeverity | int 0..10 | o
symptoms.painCharacter | PainCharacter | o
symptoms.timing | SymptomTiming | o
symptoms.sleepDisturbance | SleepDisturbance | o
symptoms.systemic | SystemicSymptom[] | R
symptoms.temperatureC | num 34..43 | o
history.skinConditions | PastSkinCondition[] | o
history.medicalConditions | MedicalCondition[] | o
history.immuneStatus | ImmuneStatus | o
history.allergies | AllergyType[] | o
history.allergyDetails | text <=300 | o
history.familyHistory | FamilyHistory[] | o
history.skinCancerHistory | SkinCancerHistory | o
history.cancerHistory | bool | o
history.smoking | SmokingStatus | o
history.alcohol | AlcoholUse | o
history.recentInfection | RecentInfection | o
history.measlesVaccination | VaccinationStatus | o
history.priorBiopsy | bool | o
exposures.recent | Exposure[] | o
exposures.contactsAffected | ContactsAffected | o
exposures.travelRegion | TravelRegion | o
exposures.sunExposure | SunExposure | o
exposures.occupation | OccupationRisk | o
medications[].name | text 1..120 | R
medications[].drugClass | MedicationClass | o
medications[].route | MedicationRoute | o
medications[].purpose | MedicationPurpose | o
medications[].duration | MedicationDuration | R
medications[].improvement | MedicationImprovement | R
medications[].startedRelative | MedicationStart | o
medications[].stillTaking | bool | o
images[].url | text <=2048 | R
images[].kind | ImageKind | o
images[].locationIndex | int 0..19 | o
images[].capturedAt | date-time | o
images[].contentType | ImageContentType | o
images[].widthPx | int >=1 | o
images[].heightPx | int >=1 | o
images[].lighting | ImageLighting | o
images[].hasScale | bool | o
images[].quality.score | num 0..1 | o
images[].quality.isValid | bool | o
images[].quality.issues | ImageQualityIssue[] | o
images[].quality.sharpness | num >=0 | o
images[].quality.brightness | num 0..255 | o
images[].quality.measuredBy | QualitySource | o
`;

export const enumerationList = `
Language: en he ar es
Reporter: self parent_guardian caregiver clinician
Gender: female male other prefer_not_to_say unknown
SexAtBirth: female male intersex prefer_not_to_say
AgeGroup: age_0_to_1 age_2_to_11 age_12_to_17 age_18_to_29 age_30_to_39 age_40_to_49 age_50_to_59 age_60_to_69 age_70_to_79 age_80_or_above unknown
FitzpatrickSkinType: type_1 type_2 type_3 type_4 type_5 type_6 unknown
SunReaction: always_burns_never_tans usually_burns_lightly_tans sometimes_burns_evenly_tans rarely_burns_tans_well very_rarely_burns_easily_tans never_burns_always_tans none_of_the_above
MonkSkinTone: mst_1 mst_2 mst_3 mst_4 mst_5 mst_6 mst_7 mst_8 mst_9 mst_10
BabyMobility: moves_alone not_yet not_sure
VaccinationStatus: complete incomplete none not_sure
FlagCertainty: met not_excluded
PregnancyStatus: not_applicable not_pregnant pregnant postpartum breastfeeding unknown
ComplaintCategory: rash growth_or_mole acne hair_loss other_hair_problem nail_problem pigmentary_problem wound_or_bite looks_healthy other
Duration: one_day less_than_one_week one_to_four_weeks one_to_three_months three_to_twelve_months more_than_one_year more_than_five_years since_childhood unknown
OnsetSpeed: minutes hours days weeks months unknown
Course: first_episode persistent recurrent seasonal unknown
Progression: improving stable slowly_worsening rapidly_worsening spreading_within_hours not_sure
Trigger: none_known food medication heat_or_sweating cold sunlight stress contact_product friction_or_pressure shaving infection menstrual_cycle exercise insect other
Impact: none mild moderate severe thoughts_of_self_harm prefer_not_to_say
LocationPrimary: head_neck mouth trunk_front trunk_back trunk_side groin_genitals buttocks arm hand leg foot nails generalized other
LocationSide: left right both midline not_applicable not_sure
BodySurfaceExtent: single_spot less_than_1_percent from_1_to_10_percent from_10_to_30_percent from_30_to_50_percent from_50_to_90_percent over_90_percent unknown
LesionCount: single two_to_five six_to_twenty more_than_twenty confluent not_sure
LesionType: macule patch papule plaque nodule vesicle bulla pustule wheal comedo cyst erosion ulcer purpura burrow scar telangiectasia no_visible_lesion not_sure
Arrangement: isolated scattered grouped linear ring_shaped target_like net_like dermatomal not_sure
Distribution: localized unilateral symmetrical sun_exposed skin_folds extensor_surfaces flexural_surfaces palms_and_soles follicular generalized not_sure
Color: skin_colored pink red purple brown black blue grey white yellow orange salmon not_sure
ColorPattern: uniform two_colors three_or_more_colors irregular_pigment central_clearing redder_at_edge not_sure
Shape: round oval ring linear irregular target dome_shaped flat_topped pedunculated umbilicated not_sure
Symmetry: symmetrical asymmetrical not_sure
BorderDefinition: sharp blurred irregular rolled_raised advancing_scaly not_sure
Size: under_2_mm from_2_to_6_mm from_7_to_10_mm from_11_to_20_mm from_21_to_50_mm over_50_mm not_sure
Elevation: flat slightly_raised raised depressed mixed not_sure
Texture: flat raised_or_bumpy rough_or_flaky fluid_filled smooth firm_or_hard soft thickened warty dry_or_cracked not_sure
SurfaceChange: none scaly greasy_scale silvery_scale crusted golden_crust weeping cracked peeling peeling_in_sheets ulcerated shiny_pearly scratch_marks not_sure
Discharge: none clear pus blood mixed not_sure
Blanching: blanches non_blanching not_tested
SkinTemperature: normal warm hot cool not_sure
LesionChange: none size shape color elevation bleeding crusting inflammation sensation new_lesion not_sure
ChangeTimeframe: days weeks one_to_three_months three_to_twelve_months over_one_year no_change
SwellingSite: none lips tongue face eyelids throat hands_or_feet limb genitals joints lymph_nodes not_sure
MucosalSite: none mouth lips eyes genitals anus nose not_sure
EyeSymptom: none redness pain light_sensitivity blurred_vision discharge pain_on_movement not_sure
NailChange: none thickening yellowing dark_streak widening_dark_streak pitting lifting crumbling painful_fold not_sure
HairChange: none patchy_loss diffuse_thinning scarring_loss breakage scaling
LocalSymptom: none itching burning pain tenderness numbness tingling bleeding bothersome_appearance not_sure
SymptomTiming: constant intermittent worse_at_night each_spot_under_24_hours after_exposure
PainCharacter: none dull sharp burning_or_electric throbbing out_of_proportion not_sure
SleepDisturbance: none mild moderate severe
SystemicSymptom: none fever chills fatigue joint_pain mouth_sores shortness_of_breath headache sore_throat vomiting abdominal_pain weight_loss night_sweats muscle_weakness dark_urine facial_weakness not_sure
EmergencySymptom: none difficulty_breathing throat_tightness tongue_swelling noisy_breathing fainting confusion stiff_neck very_fast_heartbeat mottled_or_blue_skin unable_to_drink drowsy_child
PastSkinCondition: none eczema psoriasis acne rosacea urticaria contact_allergy fungal_infection cold_sores shingles skin_cancer atypical_moles keloid other not_sure
MedicalCondition: none diabetes asthma hay_fever autoimmune_disease thyroid_disease kidney_disease liver_disease heart_disease venous_insufficiency cancer hiv inflammatory_bowel_disease other not_sure
ImmuneStatus: normal immunosuppressive_medication transplant chemotherapy hiv_uncontrolled asplenia unknown
AllergyType: none medication food metal_nickel fragrance latex insect_venom pollen other
FamilyHistory: none melanoma other_skin_cancer psoriasis eczema_or_asthma autoimmune_disease unknown
SkinCancerHistory: none melanoma basal_cell squamous_cell actinic_keratosis type_unknown
SmokingStatus: never former current unknown
AlcoholUse: none occasional regular unknown
RecentInfection: none cold_or_flu sore_throat cold_sore stomach_infection covid_19 other
Exposure: none new_cosmetic new_detergent plants metal_jewellery cleaning_products pets farm_animals insect_bite tick_bite travel hot_tub_or_pool strong_sun pesticide new_food wound_or_cut animal_bite new_sexual_partner similar_rash_contact human_bite snake_bite needlestick cosmetic_injection not_sure
ContactsAffected: none household_itching household_same_rash school_or_work chickenpox_or_shingles measles rubella_or_slapped_cheek meningitis unknown
TravelRegion: none europe north_america latin_america africa middle_east south_asia southeast_asia oceania
SunExposure: low occasional_sunburn regular_outdoor outdoor_work tanning_bed
OccupationRisk: none wet_work healthcare hairdressing construction agriculture food_handling mechanic cleaning
MedicationClass: antibiotic anticonvulsant nsaid allopurinol ace_inhibitor antifungal antiviral antihistamine topical_steroid oral_steroid moisturizer retinoid immunosuppressant biologic hormonal chemotherapy herbal other unknown
MedicationRoute: topical oral injection inhaled nasal eye_drops suppository patch other
MedicationPurpose: this_skin_problem other_condition
MedicationDuration: single_dose less_than_one_week one_to_two_weeks two_to_eight_weeks two_to_six_months more_than_six_months unknown
MedicationImprovement: resolved much_better slightly_better no_change worse too_early not_applicable
MedicationStart: before_problem_under_72_hours before_problem_3_to_28_days before_problem_4_to_8_weeks long_before after_problem_started unknown
ImageKind: close_up at_an_angle at_distance dermoscopic with_scale previous_photo other
ImageLighting: daylight indoor flash low_light unknown
ImageContentType: image_jpeg image_png image_webp image_heic
ImageQualityIssue: unreadable unsupported_format resolution_too_low low_resolution blurry slightly_blurry too_dark dark overexposed glare low_contrast uneven_lighting color_cast no_skin_detected little_skin_visible bad_framing not_a_photo duplicate_image possible_identifying_content poor_quality
QualitySource: client gateway ai_service physician
RedFlagUrgency: low medium high emergency
TriageLevel: emergency urgent_24h soon_2_weeks routine self_care
RecommendedAction: call_emergency_services same_day_medical_review physician_review_within_24h physician_review_within_2_weeks routine_physician_review self_care_advice retake_photos
QuestionType: camera bool radio checkbox number text
PredictionConfidence: low medium high
`;

/** `LocationSecondary`, by the `LocationPrimary` that each belongs to. */
export const secondaryList = `
head_neck: scalp forehead temple eyebrow eyelid around_eye nose cheek ear behind_ear lips around_mouth chin jawline beard_area face neck_front neck_side nape
mouth: tongue inner_cheek gums palate inner_lip
trunk_front: chest breast nipple under_breast collarbone abdomen upper_abdomen lower_abdomen around_navel waistline
trunk_back: upper_back shoulder_blade mid_back lower_back
trunk_side: armpit flank
groin_genitals: groin_fold pubic_area penis scrotum vulva perineum perianal
buttocks: buttock gluteal_cleft
arm: shoulder upper_arm elbow elbow_crease forearm wrist
hand: palm back_of_hand fingers finger_webs knuckles
leg: thigh inner_thigh knee knee_crease shin calf ankle
foot: top_of_foot side_of_foot sole heel toes toe_webs
nails: fingernail toenail nail_fold
generalized: whole_body sun_exposed_areas skin_folds
other: other_site
`;

const lines = (text: string) => text.trim().split('\n');
const wordsByName = (text: string) =>
  Object.fromEntries(
    lines(text).map((line): [string, string[]] => {
      const [name = '', words = ''] = line.split(': ');
      return [name, words.split(' ')];
    }),
  );

export interface ManifestField {
  path: string;
  type: string;
  required: 'R' | 'R*' | 'o';
}

export const fields = lines(fieldList).map((line) => {
  const [path, type, required] = line.split(' | ');
  return { path, type, required } as ManifestField;
});

export const secondaryByPrimary = wordsByName(secondaryList);

export const enumerations: Readonly<Record<string, string[]>> = {
  ...wordsByName(enumerationList),
  LocationSecondary: Object.values(secondaryByPrimary).flat(),
};
