import type { HttpRequest } from '@azure/functions';
import type { z } from 'zod';
import { fieldErrors } from '../schema/field-errors.ts';
import { Problem, type ProblemCode } from '../../contract/problem.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { parseMultipart } from './multipart.ts';
import type { Form } from './multipart-spec.ts';
import { readBody, requireContentType } from './request-body.ts';
import { parseStrictJson } from '../json/strict-json.ts';

/** Maximum size of a JSON body in bytes, unless the endpoint sets its own. */
export const defaultBodyLimit = 16 * 1024;

/**
 * The parts of a request, parsed by the endpoint's schemas.
 * @throws {Problem} `not_found`, or the endpoint's own code for what is missing, for path parameters, `validation_error` for
 *   query and body, and the problems of {@link readBody}, {@link parseStrictJson} and {@link parseMultipart}.
 */
export async function parseInput(endpoint: AnyEndpoint, request: HttpRequest) {
  const params = parse(endpoint.params, { ...request.params }, endpoint.missing ?? 'not_found');
  const query = parse(endpoint.query, Object.fromEntries(request.query), 'validation_error');
  return { params, query, ...(await parseBody(endpoint, request)) };
}

async function parseBody(
  endpoint: AnyEndpoint,
  request: HttpRequest,
): Promise<{ body: unknown; form: Form }> {
  const { body, multipart } = endpoint;
  const noForm: Form = { fields: {}, files: {} };
  if (body === undefined && multipart === undefined) return { body: undefined, form: noForm };
  const accepted = [...(multipart ? ['multipart/form-data'] : []), ...(body ? ['application/json'] : [])];
  const type = requireContentType(request, accepted);
  if (multipart !== undefined && type === 'multipart/form-data') {
    const bytes = await readBody(request, multipart.maxBytes);
    const form = await parseMultipart(bytes, request.headers.get('content-type') ?? '', multipart);
    return { body: undefined, form };
  }
  const bytes = await readBody(request, endpoint.bodyLimit ?? defaultBodyLimit);
  return { body: parse(body, parseStrictJson(bytes), 'validation_error'), form: noForm };
}

/** A malformed path parameter identifies nothing, so it is 404 like an unknown one. */
function parse(schema: z.ZodType | undefined, input: unknown, code: ProblemCode): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  if (code !== 'validation_error') throw new Problem(code);
  throw new Problem(code, { errors: fieldErrors(parsed.error, input) });
}
