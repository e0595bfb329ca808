// How long the worst templates occupy the thread until they are refused, compared with a usual one.
import { fullData } from '../../../src/domain/answers/templates/full-data.ts';
import { readTemplate } from '../../../src/domain/answers/templates/answer-template.ts';
import type { Result } from './benchmark.ts';
import { significant } from './compare.ts';
import { table } from './table.ts';

export const name = 'templates';

const rounds = 5;
const usualRounds = 500;
/** As the engine has it; a tag that has begun is not interrupted. */
const limitMs = 200;

const usual = `{{ action.text }}

{% for each in diagnoses %}{{ each.name }} ({{ each.code }}): {{ each.certainty }}
{% endfor %}{% for each in treatments %}{{ each.name }} {{ each.route }}, {{ each.dosage }}, {{ each.duration }}
{% endfor %}{% if red_flags.size > 0 %}{{ red_flags | list }}{% endif %}
{{ follow_up.on | date }}
{{ physician.display_name }}`;

/** Forty rounds a level. */
const loops = (depth: number, body: string) =>
  '{%for i in red_flags%}'.repeat(depth) + body + '{%endfor%}'.repeat(depth);

const attacks: Readonly<Record<string, string>> = {
  '10^8 rounds without a body': loops(5, ''),
  '10^8 rounds of a condition': loops(5, '{%if severity%}{%endif%}'),
  '10^30 rounds': loops(19, ''),
  'a range of 10^8 numbers': '{%for i in (1..100000000)%}{%endfor%}',
  'a case of 9,000 values': loops(4, `{%case 2%}{%when ${'1,'.repeat(9000)}1%}{%endcase%}`),
  'a condition of 2,000 words': loops(4, `{%if ${'false or '.repeat(2000)}false%}{%endif%}`),
  'arithmetic of 2,200 steps': loops(4, `{%if 1${'|plus:1'.repeat(2200)}%}{%endif%}`),
  'lists in lists': loops(4, '{{red_flags|list}}'),
  '19,000 characters again and again': loops(4, 'x'.repeat(19_000)),
  '4,000 unknown names': '{{a}}'.repeat(4000),
};

interface Times {
  ms: number;
  /** Of this thread: what else the machine does is not counted. */
  cpuMs: number;
}

function measure(work: () => void): Times {
  const before = process.threadCpuUsage();
  const startedAt = performance.now();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

const longest = (all: readonly Times[]): Times => ({
  ms: Math.max(...all.map(({ ms }) => ms)),
  cpuMs: Math.max(...all.map(({ cpuMs }) => cpuMs)),
});

export async function run(): Promise<Result> {
  const readUsual = () => {
    for (let round = 0; round < usualRounds; round += 1) readTemplate(usual, 'he').render(fullData);
  };
  readUsual();
  const all = measure(readUsual);
  const normal = { ms: all.ms / usualRounds, cpuMs: all.cpuMs / usualRounds };
  const rows = Object.entries(attacks).map(([what, body]) => ({
    what,
    times: longest(Array.from({ length: rounds }, () => measure(() => refuse(body)))),
  }));
  console.log(
    `\nReading and rendering a template, ms: the mean of ${usualRounds}, and the longest of ${rounds}`,
  );
  const line = (what: string, { ms, cpuMs }: Times) => [
    what,
    significant(ms),
    significant(cpuMs),
    `× ${significant(cpuMs / normal.cpuMs)}`,
  ];
  const lines = rows.map(({ what, times }) => line(what, times));
  console.log(table(['', 'ms', 'CPU ms', 'ratio of CPU'], [line('a usual one', normal), ...lines]));
  const worst = longest(rows.map(({ times }) => times));
  const ratio = worst.cpuMs / normal.cpuMs;
  return {
    summary: `worst template ${significant(worst.cpuMs)} ms of CPU, × ${significant(ratio)} of a usual one`,
    goals: [
      { what: `worst template / its limit of ${limitMs} ms`, ratio: worst.cpuMs / limitMs, atMost: 1.5 },
    ],
  };
}

/** @throws for a template that is accepted. */
function refuse(body: string): void {
  try {
    readTemplate(body, 'he').render(fullData);
  } catch (error) {
    if (error instanceof Error && error.name === 'TemplateError') return;
    throw error;
  }
  throw new Error(`A template that should be refused was rendered: ${body.slice(0, 60)}`);
}
