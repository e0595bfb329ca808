import type { PartialAnamnesis } from '../../packages/client/src/index.ts';

/** One row of a data set as the gateway gets it. */
export type ReplayCase = {
  /** The row's own name, for messages. */
  id: string;
  anamnesis: PartialAnamnesis;
  /** What the data set says it is, as a slug of our catalogue; undefined: no label, or none that the catalogue has. */
  label: string | undefined;
  /** Path of its photo, where there is one. */
  photo: string | undefined;
};

export type DataSet = { name: string; cases: ReplayCase[] };
