// The results of the vignettes, as tables for a terminal.
import { table } from '../bench/table.ts';
import { faultKinds } from './faults.ts';
import type { ChannelFigures, Result } from './figures.ts';

export function report({ figures, bars, faults, missedFlags }: Result): string {
  const missed = bars.filter(({ isMet }) => !isMet);
  return [
    title('Vignettes with a fault', counts(figures)),
    title('Questions', questions(figures)),
    ...faultKinds.flatMap((kind) => {
      const own = faults.filter((fault) => fault.kind === kind);
      if (own.length === 0) return [];
      const rows = own.map(({ id, channel, why, title: who }) => [id, channel, why, who]);
      return [title(kind, rows.map((row) => `  ${row.join('  ')}`).join('\n'))];
    }),
    ...(missedFlags.length === 0
      ? []
      : [
          title(
            'None of the expected flags (no fault where another flag covers the danger)',
            missedFlags
              .map(
                ({ id, channel, expected, flags }) =>
                  `  ${id}  ${channel}  ${flags.join(', ') || 'no flag'} instead of ${expected.join(' or ')}`,
              )
              .join('\n'),
          ),
        ]),
    title(
      'Bars',
      missed.length === 0
        ? `  all ${bars.length} met`
        : missed
            .map(({ name, value, limit }) => `  missed  ${name}: ${value ?? 'not found'}, limit ${limit}`)
            .join('\n'),
    ),
  ].join('\n');
}

const title = (text: string, body: string): string => `\n${text}\n${body}`;

function counts(figures: readonly ChannelFigures[]): string {
  return table(
    ['', 'vignettes', 'harmless', ...faultKinds],
    figures.map(({ channel, vignettes, harmless, faulty }) =>
      [channel, vignettes, harmless, ...faultKinds.map((kind) => faulty[kind])].map(String),
    ),
  );
}

function questions(figures: readonly ChannelFigures[]): string {
  const rows = figures.flatMap(({ channel, emergencyAt, harmlessQuestions }) => [
    ...(emergencyAt === undefined
      ? []
      : [[channel, 'emergencies found at', inWords(emergencyAt.median), listOf(emergencyAt.each)]]),
    ...(harmlessQuestions === undefined
      ? []
      : [[channel, 'harmless', inWords(harmlessQuestions.median), rangeOf(harmlessQuestions.each)]]),
  ]);
  return rows.length === 0 ? '  none asked' : table(['', '', 'median', ''], rows);
}

const inWords = (question: number | null) => (question === null ? 'not found' : String(question));

const listOf = (each: Readonly<Record<string, number | null>>) =>
  Object.entries(each)
    .map(([id, question]) => `${id} ${question ?? '–'}`)
    .join(', ');

const rangeOf = (each: Readonly<Record<string, number>>) => {
  const lengths = Object.values(each);
  return `${Math.min(...lengths)} to ${Math.max(...lengths)}`;
};
