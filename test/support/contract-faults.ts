import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fits, takesRest } from '../../dev/tools/contract/path-template.ts';

export type Sent = { method: string; path: string };
export type Answered = { status: number; headers: Headers; body: Buffer };

type Node = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document as something that replies can be held against. */
export function contractOf(document: Node) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'contract');
  const operations = operationsOf(document);

  /** The operation that takes a request; a segment of `path` may still be a variable. */
  function operationOf({ method, path }: Sent) {
    const candidates = operations.filter((each) => each.method === method && fits(each, path));
    // As OpenAPI has it: a concrete path comes before a templated one.
    return candidates.find(({ template }) => template === path) ?? candidates[0];
  }

  function bodyFaults(pointer: string, body: Buffer): string[] {
    // Compiled once for each pointer: a `compile` of a reference would compile all behind it, each time.
    const validate = ajv.getSchema(`contract#${encodeURI(pointer)}`);
    if (validate === undefined) throw new Error(`openapi.json has no ${pointer}`);
    if (validate(JSON.parse(body.toString('utf8')))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`);
  }

  function replyFaults(sent: Sent, reply: Answered): string[] {
    const operation = operationOf(sent);
    if (operation === undefined) return strayFaults(reply);
    const response = follow(document, `${operation.pointer}/responses/${reply.status}`);
    if (response === undefined) return [`openapi.json has no ${reply.status} for ${operation.id}`];
    return [...headerFaults(response.node, reply), ...contentFaults(response, reply)];
  }

  /** What a program could read of a reply that succeeded, and would not know of. */
  function headerFaults({ headers: described = {} }: Node, { status, headers }: Answered): string[] {
    if (status >= 400) return [];
    const known = new Set([...general, ...Object.keys(described as Node).map((name) => name.toLowerCase())]);
    const unknown = [...headers.keys()].filter(
      (name) => !known.has(name) && !name.startsWith('access-control-'),
    );
    return unknown.map((name) => `openapi.json has no header ${name} for this reply`);
  }

  /** Of a reply to a request that no operation takes. */
  function strayFaults({ status, headers, body }: Answered): string[] {
    const isProblem = headers.get('content-type') === 'application/problem+json';
    if (!isProblem || ![404, 405].includes(status)) return ['openapi.json has no such operation'];
    return bodyFaults('/components/schemas/Problem', body);
  }

  function contentFaults({ pointer, node }: Found, { headers, body }: Answered): string[] {
    const content = (node['content'] ?? {}) as Node;
    if (body.length === 0) {
      return Object.keys(content).length === 0 ? [] : ['there is no body, and openapi.json has one'];
    }
    const type = headers.get('content-type')?.split(';')[0] ?? 'none';
    if (!Object.hasOwn(content, type)) return [`openapi.json does not have the content type ${type}`];
    if (!isJson(type)) return [];
    return bodyFaults(schemaAt(document, `${pointer}/content/${escape(type)}/schema`), body);
  }

  return { operations, operationOf, replyFaults };
}

/** Headers that any reply can have, beside those of CORS. */
const general = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'server',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

const isJson = (type: string) => /[/+]json$/.test(type);

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

function operationsOf(document: Node) {
  const paths = document['paths'] as Record<string, Record<string, Node & { operationId: string }>>;
  return Object.entries(paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const pointer = `/paths/${escape(template)}/${method}`;
      const { operationId: id } = operation;
      return [{ id, pointer, method: method.toUpperCase(), template, takesRest: takesRest(operation) }];
    }),
  );
}

type Found = { pointer: string; node: Node };

/** What lies at a JSON Pointer, behind its references. */
function follow(document: Node, pointer: string): Found | undefined {
  const node = nodeAt(document, pointer);
  if (typeof node !== 'object' || node === null) return undefined;
  const { $ref: reference } = node as { $ref?: string };
  return reference === undefined ? { pointer, node: node as Node } : follow(document, reference.slice(1));
}

/**
 * The pointer of the schema that the one at `pointer` is nothing but a reference to, otherwise its own: hundreds of replies
 * share dozens of schemas, and each pointer is compiled by itself.
 */
function schemaAt(document: Node, pointer: string): string {
  const node = nodeAt(document, pointer);
  if (typeof node !== 'object' || node === null || Object.keys(node).join() !== '$ref') return pointer;
  return schemaAt(document, (node as { $ref: string }).$ref.slice(1));
}

function nodeAt(document: Node, pointer: string): unknown {
  let node: unknown = document;
  for (const step of pointer.split('/').slice(1)) {
    node = (node as Node | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return node;
}

const escape = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
