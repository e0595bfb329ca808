import { z } from 'zod';
import {
  Arrangement,
  BodySurfaceExtent,
  BorderDefinition,
  Color,
  ColorPattern,
  Distribution,
  Elevation,
  LesionCount,
  LesionType,
  Shape,
  Size,
  Symmetry,
} from '../vocabulary/lesion-appearance.ts';
import {
  Blanching,
  ChangeTimeframe,
  Discharge,
  EyeSymptom,
  HairChange,
  LesionChange,
  MucosalSite,
  NailChange,
  SkinTemperature,
  SurfaceChange,
  SwellingSite,
  Texture,
} from '../vocabulary/lesion-signs.ts';
import { manyOf } from './fields.ts';

export const Lesion = z
  .strictObject({
    lesionTypes: manyOf(LesionType).optional(),
    count: LesionCount.optional(),
    extent: BodySurfaceExtent.optional(),
    arrangement: Arrangement.optional(),
    distribution: Distribution.optional(),
    colors: manyOf(Color).optional(),
    colorPattern: ColorPattern.optional(),
    shape: Shape.optional(),
    symmetry: Symmetry.optional(),
    border: BorderDefinition.optional(),
    size: Size.optional(),
    sizeMm: z
      .number()
      .min(0.1)
      .max(1000)
      .optional()
      .describe('Largest diameter of the largest spot in millimetres. It must fall in `size`.'),
    elevation: Elevation.optional(),
    textures: manyOf(Texture).optional(),
    surfaceChanges: manyOf(SurfaceChange).optional(),
    discharge: Discharge.optional(),
    blanching: Blanching.optional(),
    skinTemperature: SkinTemperature.optional(),
    changes: manyOf(LesionChange).optional(),
    changeTimeframe: ChangeTimeframe.optional(),
    differentFromOthers: z
      .boolean()
      .optional()
      .describe('Whether it looks different from the patient’s other moles (the ugly duckling sign).'),
    swellingSites: manyOf(SwellingSite).optional(),
    mucosalSites: manyOf(MucosalSite).optional(),
    eyeSymptoms: manyOf(EyeSymptom).optional(),
    nailChanges: manyOf(NailChange).optional(),
    hairChanges: manyOf(HairChange).optional(),
  })
  .meta({ id: 'Lesion', description: 'What can be seen and felt on the skin.' });
