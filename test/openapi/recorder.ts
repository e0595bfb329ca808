import type { Example, OperationExamples, RecordedExamples } from '../../src/lib/openapi/examples.ts';
import { type ProblemCode, problems } from '../../src/contract/problem.ts';
import { type Answering, endpointOf, refuseMisspelt, send, type Sent } from './send.ts';
import { createSampler } from './sample-values.ts';

interface Told {
  /** What the example is called where it is shown. */
  name: string;
  summary: string;
  /** Name of the request as a component; made from operation and name where absent. */
  requestAs?: string;
  /** As `requestAs`, for the reply. */
  replyAs?: string;
  /** What is kept of the reply; all where absent. */
  shorten?: (reply: unknown) => unknown;
}

interface Recorded {
  operation: string;
  /** `requests` or `responses`, and then the content type or status. */
  place: readonly [keyof OperationExamples, string];
  name: string;
  component: string;
  example: Example;
}

/** Sends requests to a gateway and keeps them with their replies as examples. */
export function createRecorder() {
  const sample = createSampler();
  const kept: Recorded[] = [];
  const schemas: Record<string, unknown> = {};

  function keepRequest(sent: Sent, { name, summary, requestAs }: Told): void {
    const component = requestAs ?? `${pascal(sent.operation)}${pascal(name)}Request`;
    const type = sent.form === undefined ? 'application/json' : 'multipart/form-data';
    const value = sent.form === undefined ? sent.json : valueOfForm(sent.form);
    if (value === undefined) return;
    const example = { summary, value: sample(value) };
    kept.push({ operation: sent.operation, place: ['requests', type], name, component, example });
  }

  return {
    /** Keeps request and reply. @throws when the reply is no success. */
    async success<Reply>(app: Answering, sent: Sent, told: Told): Promise<Reply> {
      refuseMisspelt(sent);
      const reply = await send(app, sent);
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${sent.operation} ${told.name}: ${reply.status} ${text}`);
      keepRequest(sent, told);
      if (reply.headers.get('content-type') !== 'application/json') return text as Reply;
      const value = JSON.parse(text) as Reply;
      kept.push({
        operation: sent.operation,
        place: ['responses', String(reply.status)],
        name: told.name,
        component: told.replyAs ?? `${pascal(sent.operation)}${pascal(told.name)}Reply`,
        example: { summary: told.summary, value: sample(told.shorten?.(value) ?? value) },
      });
      return value;
    },

    /** Keeps a reply of a status that says by itself what it is, such as 503 of /health. */
    async answer(app: Answering, sent: Sent, status: number, { name, summary }: Told): Promise<void> {
      const reply = await send(app, sent);
      const text = await reply.text();
      if (reply.status !== status) throw new Error(`${sent.operation} ${name}: ${reply.status} ${text}`);
      const example = { summary, value: sample(JSON.parse(text)) };
      const component = `${pascal(sent.operation)}${pascal(name)}Reply`;
      kept.push({
        operation: sent.operation,
        place: ['responses', String(status)],
        name,
        component,
        example,
      });
    },

    /** Keeps a reply that must be this problem. */
    async problem(app: Answering, sent: Sent, code: ProblemCode): Promise<void> {
      const reply = await send(app, sent);
      const text = await reply.text();
      if (!text.includes(`"code":"${code}"`)) {
        throw new Error(`${sent.operation}: ${code} was wanted, and answered was ${reply.status} ${text}`);
      }
      kept.push(problem(sent.operation, code, sample(JSON.parse(text))));
    },

    /** Keeps a problem that was answered elsewhere. */
    given(operation: string, code: ProblemCode, value: unknown): void {
      kept.push(problem(operation, code, sample(value)));
    },

    /** Keeps what another operation answers for one that cannot be brought to it. */
    borrow(operation: string, code: ProblemCode, from: string): void {
      const lent = kept.find((each) => each.operation === from && each.name === code);
      if (lent === undefined) throw new Error(`${from} has no ${code} to lend`);
      kept.push(problem(operation, code, lent.example.value));
    },

    schema(name: string, value: unknown): void {
      schemas[name] = value;
    },

    result: (): RecordedExamples => ({ ...arrange(kept), schemas }),
  };
}

export type Recorder = ReturnType<typeof createRecorder>;

function problem(operation: string, code: ProblemCode, value: unknown): Recorded {
  const { status, title } = problems[code];
  return {
    operation: endpointOf(operation).name,
    place: ['responses', String(status)],
    name: code,
    component: pascal(code),
    example: { summary: title, value },
  };
}

/** A form as the object that OpenAPI describes it with: JSON parts as values, files as curl names them. */
function valueOfForm(form: NonNullable<Sent['form']>): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { name = '', filename, body } of form) {
    const part: unknown = filename === undefined ? JSON.parse(String(body)) : `@${filename}`;
    value[name] = name === 'images' ? [...((value[name] as unknown[]) ?? []), part] : part;
  }
  return value;
}

/**
 * Equal examples become one component. Where one name stands for several, the one that is used most keeps it and the
 * others are named after the operation that they were seen at first.
 */
function arrange(kept: readonly Recorded[]): Pick<RecordedExamples, 'shared' | 'operations'> {
  const textOf = ({ example }: Recorded) => JSON.stringify(example.value);
  const components = new Map<string, string>();
  for (const [component, same] of Map.groupBy(kept, (each) => each.component)) {
    const byValue = [...Map.groupBy(same, textOf)].toSorted(([, a], [, b]) => b.length - a.length);
    for (const [position, [text, users]] of byValue.entries()) {
      const own = position === 0 ? component : `${pascal(users[0]?.operation ?? '')}${component}`;
      if (!components.has(text)) components.set(text, own);
    }
  }
  const shared: Record<string, Example> = {};
  const operations: Record<
    string,
    Record<keyof OperationExamples, Record<string, Record<string, string>>>
  > = {};
  for (const each of kept) {
    const component = components.get(textOf(each)) as string;
    shared[component] ??= each.example;
    const [part, key] = each.place;
    const operation = (operations[each.operation] ??= { requests: {}, responses: {} });
    (operation[part][key] ??= {})[each.name] = component;
  }
  return { shared: sorted(shared), operations: sorted(operations) };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const pascal = (words: string) =>
  words.replaceAll(/(?:^|[_-])([a-z])/g, (_start, letter: string) => letter.toUpperCase());
