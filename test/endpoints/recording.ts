import type { Example, Recorded } from '../../dev/tools/openapi/examples.ts';
import { problems } from '../../src/contract/problem-list.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import type { NamedScenario } from './read-scenarios.ts';
import { createSampler } from './sample-values.ts';
import type { Good } from './scenario.ts';
import { type Answer, isJson } from './stage.ts';

type Examples = Record<string, Record<string, Example>>;

/** Collects what one operation was asked and answered, with samples in place of what differs from run to run. */
export function createRecording(scenario: NamedScenario) {
  const { endpoint, name: operation } = scenario;
  const sample = createSampler();
  const requests: Examples = {};
  const responses: Examples = {};
  const schemas: Record<string, unknown> = {};

  const add = (to: Examples, key: string, name: string, example: Example) => {
    (to[key] ??= {})[name] ??= example;
  };

  return {
    good(name: string, { title: summary, shown }: Good, { status, headers, text, sent }: Answer): void {
      if (sent !== undefined && status < 300) {
        add(requests, sent.type, name, { summary, value: sample(sent.value) });
      }
      if (!isJson(headers) || text === '') return;
      const body: unknown = JSON.parse(text);
      const value = sample(shown === undefined ? body : shown(body as never));
      add(responses, String(status), name, { summary, value });
    },

    problem(code: ProblemCode, text: string): void {
      const { status, title } = problems[code];
      add(responses, String(status), code, { summary: title, value: sample(JSON.parse(text)) });
    },

    /** As `documentedExamples` returns it. */
    examples(): Recorded {
      // Swagger UI fills the parts of a form from their schemas only.
      const form = Object.values(scenario.good).find((each) => each.form !== undefined)?.form ?? {};
      for (const [field, { json }] of Object.entries(endpoint.multipart?.fields ?? {})) {
        const id = json?.meta()?.id;
        if (id !== undefined) schemas[id] = form[field];
      }
      return { operation, requests, responses, schemas };
    },
  };
}

export type Recording = ReturnType<typeof createRecording>;
