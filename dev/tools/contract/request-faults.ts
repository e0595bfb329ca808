// Requests of our own checks, held strictly to openapi.json: the gateway ignores a query parameter that it does not know,
// so a probe with a misspelt one would check nothing and still pass.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fits, takesRest } from './path-template.ts';

type Node = Readonly<Record<string, unknown>>;

export interface Probe {
  method: string;
  /** Path and query. */
  target: string;
  /** A value that is sent as JSON, or a form. */
  body?: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  /** JSON Pointer of its schema in the document. */
  schema: string;
}

interface Operation {
  id: string;
  method: string;
  template: string;
  takesRest: boolean;
  /** JSON Pointer in the document. */
  pointer: string;
}

const escape = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** @param document OpenAPI 3.1 */
export function createRequestCheck(document: Node) {
  const bodies = validator(document);
  // Everything in a query is text.
  const queries = validator(document, { coerceTypes: true });
  const operations = Object.entries(document['paths'] as Record<string, Node>).flatMap(([template, item]) =>
    METHODS.flatMap((method): Operation[] => {
      const operation = (item[method] ?? {}) as Node;
      const { operationId: id } = operation as { operationId?: string };
      if (id === undefined) return [];
      const pointer = `/paths/${escape(template)}/${method}`;
      return [{ id, method: method.toUpperCase(), template, takesRest: takesRest(operation), pointer }];
    }),
  );

  function operationOf({ method, target }: Probe): Operation | undefined {
    const { pathname } = new URL(target, 'http://probe');
    const wanted = method === 'HEAD' ? 'GET' : method;
    const fitting = operations.filter((each) => each.method === wanted && fits(each, pathname));
    // As OpenAPI has it: a concrete path comes before a templated one.
    return fitting.find(({ template }) => template === pathname) ?? fitting[0];
  }

  function parametersOf({ pointer }: Operation): Parameter[] {
    const list = (find(document, pointer)?.node['parameters'] ?? []) as unknown[];
    return list.map((_, index) => {
      const found = find(document, `${pointer}/parameters/${index}`) as Found;
      return { ...(found.node as unknown as Parameter), schema: `${found.pointer}/schema` };
    });
  }

  function valueFaults(ajv: Ajv2020, what: string, pointer: string, value: unknown): string[] {
    // Compiled once for each pointer: a `compile` of a reference would compile all behind it, each time.
    const validate = ajv.getSchema(`openapi#${encodeURI(pointer)}`);
    if (validate === undefined) throw new Error(`openapi.json has no ${pointer}`);
    if (validate(structuredClone(value))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
  }

  /** Query parameters that the operation does not have; a request that no operation takes has no faults here. */
  function unknownQuery(probe: Probe): string[] {
    const operation = operationOf(probe);
    if (operation === undefined) return [];
    const known = parametersOf(operation).flatMap((each) => (each.in === 'query' ? [each.name] : []));
    return [...new URL(probe.target, 'http://probe').searchParams.keys()]
      .filter((name) => !known.includes(name))
      .map((name) => `${operation.id} has no query parameter ${name}, only ${known.join(', ') || 'none'}`);
  }

  /** Everything about a request that must be accepted. */
  function faultsOf(probe: Probe): string[] {
    const operation = operationOf(probe);
    if (operation === undefined) return [`openapi.json has no ${probe.method} ${probe.target}`];
    const { searchParams } = new URL(probe.target, 'http://probe');
    const query = parametersOf(operation)
      .filter((each) => each.in === 'query')
      .flatMap(({ name, required, schema }) => {
        const values = searchParams.getAll(name);
        if (values.length === 0) return required === true ? [`the query parameter ${name} is missing`] : [];
        if (values.length > 1) return [`the query parameter ${name} stands there ${values.length} times`];
        return valueFaults(queries, name, schema, values[0]);
      });
    return [...unknownQuery(probe), ...query, ...bodyFaults(operation, probe.body)];
  }

  function bodyFaults({ id, pointer }: Operation, body: unknown): string[] {
    const wanted = find(document, `${pointer}/requestBody`)?.node as
      | { required?: boolean; content: Node }
      | undefined;
    if (body === undefined) return wanted?.required === true ? [`${id} needs a body`] : [];
    const type = body instanceof FormData ? 'multipart/form-data' : 'application/json';
    if (wanted === undefined || !Object.hasOwn(wanted.content, type)) return [`${id} takes no ${type}`];
    const media = `${pointer}/requestBody/content/${escape(type)}`;
    return body instanceof FormData
      ? formFaults(media, body)
      : valueFaults(bodies, 'body', `${media}/schema`, body);
  }

  function formFaults(media: string, form: FormData): string[] {
    const schema = find(document, `${media}/schema`) as Found;
    const { properties, required = [] } = schema.node as { properties: Node; required?: readonly string[] };
    const { encoding = {} } = (find(document, media) as Found).node as {
      encoding?: Record<string, { contentType: string }>;
    };
    const names = [...new Set(form.keys())];
    return [
      ...required.filter((name) => !names.includes(name)).map((name) => `the field ${name} is missing`),
      ...names.flatMap((name) => {
        if (!Object.hasOwn(properties, name)) return [`there is no field ${name}`];
        const value = form.get(name);
        if (encoding[name]?.contentType !== 'application/json' || typeof value !== 'string') return [];
        return valueFaults(bodies, name, `${schema.pointer}/properties/${escape(name)}`, JSON.parse(value));
      }),
    ];
  }

  return { operations, operationOf, unknownQuery, faultsOf };
}

function validator(document: Node, options: { coerceTypes?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  return ajv.addSchema(document, 'openapi');
}

interface Found {
  pointer: string;
  node: Node;
}

/** What lies at a JSON Pointer, behind its references. */
function find(document: Node, pointer: string): Found | undefined {
  let node: unknown = document;
  for (const step of pointer.split('/').slice(1))
    node = (node as Node | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (typeof node !== 'object' || node === null) return undefined;
  const { $ref: reference } = node as { $ref?: string };
  return reference === undefined ? { pointer, node: node as Node } : find(document, reference.slice(1));
}
