import { createHash } from 'node:crypto';
import calibration from './data/calibration.json' with { type: 'json' };
import catalogue from './data/catalogue.json' with { type: 'json' };
import pad from './data/pad-likelihoods.json' with { type: 'json' };
import scin from './data/scin-likelihoods.json' with { type: 'json' };

/** For every reply without a notice of its own. */
export const NOTICE = 'Reference implementation for development and tests. Not for clinical use.';

/** Raise by hand when the code answers differently; the digest follows the data automatically. */
const engine = 'reference-1.2.0';

const digest = createHash('sha256')
  .update(JSON.stringify([catalogue, scin, pad, calibration]))
  .digest('hex');

/** Identifies code and data exactly, so that a recorded diagnosis can be traced. */
export const modelVersion = `${engine}+${digest.slice(0, 8)}`;
