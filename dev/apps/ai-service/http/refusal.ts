/** One wrong field of an anamnesis, by JSON Pointer relative to it. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

/** Ends a request with an error status; the server turns it into `application/problem+json`. */
export class Refusal extends Error {
  status: number;
  code: string;
  headers: Record<string, string>;
  errors: readonly FieldError[] | undefined;

  constructor(
    status: number,
    code: string,
    detail: string,
    { headers = {}, errors }: { headers?: Record<string, string>; errors?: readonly FieldError[] } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.errors = errors;
  }
}
