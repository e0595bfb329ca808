import type { Actor } from '../../../contract/actor.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { ImageDecoder } from '../../../lib/image/decode.ts';
import { Problem } from '../../../contract/problem.ts';
import { parseStrictJsonText } from '../../../lib/strict-json.ts';
import type { Anamnesis } from '../anamnesis/anamnesis.ts';
import type { Language } from '../../../contract/language.ts';
import { parseAnamnesis } from '../anamnesis/parse-anamnesis.ts';
import { type AcceptedImage, acceptImage } from '../../media/images/accept-image.ts';
import { requireVisibleImages } from '../../media/images/visible-images.ts';

export interface DiagnosisRequest {
  anamnesis: Anamnesis;
  image: AcceptedImage;
}

/**
 * Photo and answers, both checked: the cheap checks of the answers first, the decoding of pixels last.
 * @throws {Problem} `malformed_json`, `anamnesis_invalid` naming every wrong field, or as `acceptImage`.
 */
export async function readDiagnosisRequest(
  upload: { image: Uint8Array; anamnesis: string },
  decoder: Pick<ImageDecoder, 'check'>,
  options: { language: Language; imageUrlHosts: readonly string[]; db: Db; actor: Actor },
): Promise<DiagnosisRequest> {
  const answers = parseStrictJsonText(upload.anamnesis);
  if (typeof answers !== 'object' || answers === null || Array.isArray(answers)) {
    throw new Problem('malformed_json', { detail: 'The anamnesis must be a JSON object.' });
  }
  const parsed = parseAnamnesis(answers, options);
  if (!parsed.ok) throw new Problem('anamnesis_invalid', { errors: parsed.errors });
  await requireVisibleImages(options.db, options.actor, parsed.value);
  return { anamnesis: parsed.value, image: await acceptImage(upload.image, decoder, '/image') };
}
