import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { z } from 'zod';
import { type FieldError, Problem } from '../problem.ts';

/** The parts that a multipart/form-data body may have; anything else is refused. */
export interface MultipartSpec {
  /** Name of the form in the OpenAPI document. */
  id: string;
  description: string;
  /** The whole body at most, in bytes. */
  maxBytes: number;
  fields: Readonly<
    Record<
      string,
      {
        required: boolean;
        maxBytes: number;
        description: string;
        /** Of the JSON text that the field holds, for the OpenAPI document; the handler checks it. */
        json?: z.ZodType;
      }
    >
  >;
  files: Readonly<
    Record<string, { required: boolean; maxCount: number; maxBytes: number; description: string }>
  >;
}

/** A form as its spec promises it: required parts are there, because `parseMultipart` refuses it otherwise. */
export interface FormOf<Parts extends MultipartSpec> {
  fields: {
    readonly [Name in keyof Parts['fields']]: Parts['fields'][Name]['required'] extends true
      ? string
      : string | undefined;
  };
  files: {
    readonly [Name in keyof Parts['files']]: Parts['files'][Name]['required'] extends true
      ? readonly [Uint8Array, ...Uint8Array[]]
      : readonly Uint8Array[] | undefined;
  };
}

export interface Form {
  fields: Readonly<Record<string, string>>;
  /**
   * Each file's bytes in the order sent: views of the request's buffer, never copies. The name and the type
   * that the client declared are dropped on purpose: they prove nothing.
   */
  files: Readonly<Record<string, readonly Uint8Array[]>>;
}

/**
 * Parses a whole multipart/form-data body (RFC 7578).
 * @throws {Problem} `invalid_multipart`, naming each wrong part in `errors`; `payload_too_large`.
 */
export async function parseMultipart(
  body: Uint8Array,
  contentType: string,
  spec: MultipartSpec,
): Promise<Form> {
  const collector = new Collector(body, spec);
  const parser = createParser(contentType, spec);
  await new Promise<void>((resolve, reject) => {
    const malformed = () => reject(invalid('The multipart body is cut short or malformed.'));
    parser.on('field', (name, value, info) => collector.addField(name, value, info.valueTruncated));
    parser.on('file', (name, stream) => collector.addFile(name, stream, malformed));
    parser.on('partsLimit', () =>
      collector.refuse('', 'too_many_parts', 'There are more parts than allowed.'),
    );
    parser.on('error', malformed);
    parser.on('close', resolve);
    // One write: busboy then hands out slices of this very buffer.
    parser.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  });
  return collector.finish();
}

function createParser(contentType: string, spec: MultipartSpec): busboy.Busboy {
  const fields = Object.values(spec.fields);
  const files = Object.values(spec.files);
  const parts = fields.length + files.reduce((sum, file) => sum + file.maxCount, 0);
  try {
    return busboy({
      headers: { 'content-type': contentType },
      limits: {
        // One more than allowed each, so that the refusal can name what is too many or too large.
        parts: parts + 8,
        fieldSize: Math.max(0, ...fields.map((field) => field.maxBytes)) + 1,
        fileSize: Math.max(0, ...files.map((file) => file.maxBytes)) + 1,
        headerPairs: 32,
      },
    });
  } catch {
    throw invalid('The Content-Type has no usable multipart boundary.');
  }
}

function invalid(detail: string, errors?: readonly FieldError[]): Problem {
  return new Problem('invalid_multipart', { detail, ...(errors && { errors }) });
}

/** A byte-order mark is for the reader of the text to judge. */
const keepMark = { ignoreBOM: true };

/** Gathers the parts and what is wrong with them. */
class Collector {
  readonly #body: Uint8Array;
  readonly #spec: MultipartSpec;
  readonly #fields: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #files: Record<string, Uint8Array[]> = Object.create(null) as Record<string, Uint8Array[]>;
  readonly #errors: FieldError[] = [];
  /** Where files lie in the body, in its order. */
  readonly #views: Uint8Array[] = [];
  /** Fields with a replacement character: sent so, or put there by the parser for bytes that are not UTF-8. */
  readonly #doubtful: string[] = [];
  #oversized: string | undefined;

  constructor(body: Uint8Array, spec: MultipartSpec) {
    this.#body = body;
    this.#spec = spec;
  }

  refuse(name: string, code: string, message: string): void {
    const pointer = name === '' ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (this.#errors.length < 20) this.#errors.push({ pointer, code, message });
  }

  addField(name: string | undefined, value: string, truncated: boolean): void {
    const field = own(this.#spec.fields, name);
    if (name === undefined || field === undefined) {
      const isFile = own(this.#spec.files, name) !== undefined;
      this.refuse(
        shown(name),
        isFile ? 'invalid_type' : 'unknown_field',
        isFile ? 'Send this part as a file, with a filename.' : 'There is no part of this name.',
      );
    } else if (name in this.#fields) {
      this.refuse(name, 'too_many', 'Send this part once.');
    } else if (truncated || Buffer.byteLength(value) > field.maxBytes) {
      this.#oversized ??= `The part ${name} may have at most ${field.maxBytes} bytes.`;
    } else {
      this.#fields[name] = value;
      if (value.includes('\uFFFD')) this.#doubtful.push(name);
    }
  }

  addFile(name: string | undefined, stream: Readable, malformed: () => void): void {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', malformed);
    stream.on('end', () => {
      const bytes = this.#viewOf(chunks);
      if (bytes === undefined) {
        this.refuse(shown(name), 'invalid_format', 'The part contains the multipart boundary.');
        return;
      }
      if (bytes.byteLength > 0) this.#views.push(bytes);
      if (name === undefined || own(this.#spec.fields, name) === undefined) this.#keepFile(name, bytes);
      // A browser's FormData sends a Blob as a file even where text is meant.
      else if (isUtf8(bytes)) this.addField(name, new TextDecoder('utf-8', keepMark).decode(bytes), false);
      else this.#refuseEncoding(name);
    });
  }

  #refuseEncoding(name: string): void {
    this.refuse(name, 'invalid_format', 'The text is not valid UTF-8.');
  }

  #keepFile(name: string | undefined, bytes: Uint8Array): void {
    const file = own(this.#spec.files, name);
    if (name === undefined || file === undefined) {
      this.refuse(shown(name), 'unknown_field', 'There is no part of this name.');
      return;
    }
    const kept = (this.#files[name] ??= []);
    if (kept.length === file.maxCount) {
      const message = file.maxCount === 1 ? 'Send this file once.' : `Send at most ${file.maxCount} files.`;
      this.refuse(name, 'too_many', message);
    } else if (bytes.byteLength > file.maxBytes) {
      this.#oversized ??= `A file in ${name} may have at most ${file.maxBytes} bytes.`;
    } else {
      kept.push(bytes);
    }
  }

  /** The chunks lie one behind the other in the request's buffer unless the boundary occurs inside the part. */
  #viewOf(chunks: readonly Buffer[]): Uint8Array | undefined {
    const first = chunks[0];
    if (first === undefined) return this.#body.subarray(0, 0);
    let end = first.byteOffset;
    for (const chunk of chunks) {
      if (chunk.buffer !== this.#body.buffer || chunk.byteOffset !== end) return undefined;
      end += chunk.byteLength;
    }
    return new Uint8Array(this.#body.buffer, first.byteOffset, end - first.byteOffset);
  }

  #isUtf8AroundFiles(): boolean {
    let from = 0;
    for (const view of this.#views) {
      const start = view.byteOffset - this.#body.byteOffset;
      if (!isUtf8(this.#body.subarray(from, start))) return false;
      from = start + view.byteLength;
    }
    return isUtf8(this.#body.subarray(from));
  }

  finish(): Form {
    if (this.#doubtful.length > 0 && !this.#isUtf8AroundFiles()) {
      this.#doubtful.forEach((name) => this.#refuseEncoding(name));
    }
    for (const [name, { required }] of [
      ...Object.entries(this.#spec.files),
      ...Object.entries(this.#spec.fields),
    ]) {
      const present = name in this.#fields || name in this.#files;
      const refused =
        this.#oversized !== undefined || this.#errors.some(({ pointer }) => pointer === `/${name}`);
      if (required && !present && !refused) this.refuse(name, 'required', 'This part is required.');
    }
    if (this.#errors.length > 0) {
      throw invalid('Some parts of the form are missing or not acceptable.', this.#errors);
    }
    if (this.#oversized !== undefined) throw new Problem('payload_too_large', { detail: this.#oversized });
    return { fields: this.#fields, files: this.#files };
  }
}

function own<T>(record: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A part's name as it may be repeated to the caller. */
function shown(name: string | undefined): string {
  return (name ?? '').replaceAll(/[^\w.[\]-]/g, '?').slice(0, 64);
}
