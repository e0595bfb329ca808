import type { PartialAnamnesis } from '../../packages/client/src/index.ts';

/** One row of a data set, in the gateway's format. */
export type ReplayCase = {
  /** The row's own name, for messages. */
  id: string;
  anamnesis: PartialAnamnesis;
  /** The label as a slug of our catalogue; undefined without a label or with one outside the catalogue. */
  label: string | undefined;
  /** Path of its photo, if any. */
  photo: string | undefined;
};

export type DataSet = { name: string; cases: ReplayCase[] };
