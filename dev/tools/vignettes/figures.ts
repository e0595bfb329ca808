import { median } from '../bench/statistics.ts';
import { type Fault, type FaultKind, faultKinds, faultsOf } from './faults.ts';
import { type Channel, channels, type Intake, type Trial } from './try-vignette.ts';
import { isHarmless } from './vignette.ts';

export interface ChannelFigures {
  channel: Channel;
  vignettes: number;
  harmless: number;
  /** Vignettes with at least one fault of the kind. */
  faulty: Record<FaultKind, number>;
  /** The number of the question that found the emergency: median and each; null where the intake found none. */
  emergencyAt?: { median: number | null; each: Record<string, number | null> };
  /** Questions of an intake for a harmless complaint. */
  harmlessQuestions?: { median: number; each: Record<string, number> };
}

export interface Bar {
  name: string;
  value: number | null;
  limit: number;
  isMet: boolean;
}

export interface AskedQuestions extends Intake {
  id: string;
  channel: Channel;
}

export interface Result {
  figures: ChannelFigures[];
  bars: Bar[];
  faults: Fault[];
  /** Expected flags that were not raised. Not a fault: another flag can cover the same danger. */
  missedFlags: { id: string; channel: Channel; expected: readonly string[]; flags: readonly string[] }[];
  intakes: AskedQuestions[];
}

export const limits = {
  overTriagedShare: 0.1,
  emergencyAtQuestion: 8,
  /** One of them asks for allergies, which who answers needs to know. */
  harmlessQuestions: 25,
} as const;

export function resultOf(trials: readonly Trial[]): Result {
  const figures = channels.flatMap((channel) => {
    const own = trials.filter((trial) => trial.channel === channel);
    return own.length === 0 ? [] : [figuresOf(channel, own)];
  });
  return {
    figures,
    bars: figures.flatMap(barsOf),
    faults: trials.flatMap(faultsOf),
    missedFlags: trials.flatMap(({ vignette: { id, must }, channel, redFlags }) => {
      const expected = must.anyFlags ?? [];
      const flags = redFlags?.flags ?? [];
      const isMissed = expected.length > 0 && !expected.some((code) => flags.includes(code));
      return isMissed ? [{ id, channel, expected, flags }] : [];
    }),
    intakes: trials.flatMap(({ vignette: { id }, channel, intake }) =>
      intake === undefined ? [] : [{ id, channel, ...intake }],
    ),
  };
}

function figuresOf(channel: Channel, trials: readonly Trial[]): ChannelFigures {
  const faults = trials.flatMap(faultsOf);
  const count = (kind: FaultKind) =>
    new Set(faults.filter((fault) => fault.kind === kind).map(({ id }) => id)).size;
  const harmless = trials.filter(({ vignette }) => isHarmless(vignette));
  return {
    channel,
    vignettes: trials.length,
    harmless: harmless.length,
    faulty: Object.fromEntries(faultKinds.map((kind) => [kind, count(kind)])) as Record<FaultKind, number>,
    ...(channel !== 'api' && intakeFigures(trials, harmless)),
  };
}

function intakeFigures(trials: readonly Trial[], harmless: readonly Trial[]) {
  const foundAt = trials
    .filter(({ vignette }) => vignette.must.minTriage === 'emergency')
    .map(({ vignette, intake }): [string, number | null] => [
      vignette.id,
      intake !== undefined && intake.emergency.length > 0 ? intake.asked.length : null,
    ]);
  const lengths = harmless.flatMap(({ vignette, intake }): [string, number][] =>
    intake === undefined ? [] : [[vignette.id, intake.asked.length]],
  );
  const middle = median(foundAt.map(([, question]) => question ?? Number.POSITIVE_INFINITY));
  return {
    ...(foundAt.length > 0 && {
      emergencyAt: {
        median: Number.isFinite(middle) ? middle : null,
        each: Object.fromEntries(foundAt),
      },
    }),
    ...(lengths.length > 0 && {
      harmlessQuestions: {
        median: median(lengths.map(([, questions]) => questions)),
        each: Object.fromEntries(lengths),
      },
    }),
  };
}

function barsOf({ channel, harmless, faulty, emergencyAt, harmlessQuestions }: ChannelFigures): Bar[] {
  const bar = (what: string, value: number | null, limit: number): Bar => ({
    name: `${channel}: ${what}`,
    value,
    limit,
    isMet: value !== null && value <= limit,
  });
  return [
    ...faultKinds.map((kind) =>
      bar(kind, faulty[kind], kind === 'over-triaged' ? Math.floor(limits.overTriagedShare * harmless) : 0),
    ),
    ...(emergencyAt === undefined
      ? []
      : [bar('emergencies found at question (median)', emergencyAt.median, limits.emergencyAtQuestion)]),
    ...(harmlessQuestions === undefined
      ? []
      : [
          bar(
            'questions of a harmless complaint (median)',
            harmlessQuestions.median,
            limits.harmlessQuestions,
          ),
        ]),
  ];
}
