import type { HttpRequest } from '@azure/functions';
import type { z } from 'zod';
import { fieldErrors } from '../field-errors.ts';
import { Problem } from '../problem.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type Form, parseMultipart } from './multipart.ts';
import { readBody, requireContentType } from './request-body.ts';
import { parseStrictJson } from '../strict-json.ts';

const defaultBodyLimit = 16 * 1024;

/** The parts of a request as the endpoint's schemas read them. */
export async function parseInput(endpoint: AnyEndpoint, request: HttpRequest) {
  const params = parse(endpoint.params, { ...request.params }, 'not_found');
  const query = parse(endpoint.query, Object.fromEntries(request.query), 'validation_error');
  let body: unknown;
  let form: Form = { fields: {}, files: {} };
  if (endpoint.body !== undefined) {
    requireContentType(request, 'application/json');
    const bytes = await readBody(request, endpoint.bodyLimit ?? defaultBodyLimit);
    body = parse(endpoint.body, parseStrictJson(bytes), 'validation_error');
  } else if (endpoint.multipart !== undefined) {
    requireContentType(request, 'multipart/form-data');
    const bytes = await readBody(request, endpoint.multipart.maxBytes);
    form = await parseMultipart(bytes, request.headers.get('content-type') ?? '', endpoint.multipart);
  }
  return { params, query, body, form };
}

/** A malformed path parameter names nothing, so it is 404 like an unknown one. */
function parse(
  schema: z.ZodType | undefined,
  input: unknown,
  code: 'validation_error' | 'not_found',
): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  if (code === 'not_found') throw new Problem('not_found');
  throw new Problem(code, { errors: fieldErrors(parsed.error, input) });
}
