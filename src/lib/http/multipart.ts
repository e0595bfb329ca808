import { MIMEType } from 'node:util';
import busboy from 'busboy';
import { DelimiterCount } from './delimiter-count.ts';
import type { Form, MultipartSpec } from './multipart-spec.ts';
import { invalidMultipart, PartCollector } from './part-collector.ts';

/**
 * Parses a whole multipart/form-data body (RFC 7578).
 * @throws {Problem} `invalid_multipart`, naming each wrong part in `errors`; `payload_too_large`.
 */
export async function parseMultipart(
  body: Uint8Array,
  contentType: string,
  spec: MultipartSpec,
): Promise<Form> {
  const collector = new PartCollector(body, spec);
  const maxParts = partsLimit(spec);
  const parser = createParser(contentType, spec, maxParts);
  // One part more than busboy accepts, and the closing delimiter.
  const announced = new DelimiterCount(body, boundaryOf(contentType), maxParts + 2);
  const parsing = { hasFailed: false, parts: 0 };
  const parsed = new Promise<void>((resolve, reject) => {
    const malformed = () => {
      parsing.hasFailed = true;
      reject(invalidMultipart('The multipart body is cut short or malformed.'));
    };
    parser.on('field', (name, value, info) => {
      parsing.parts += 1;
      collector.addField(name, value, info.valueTruncated);
    });
    parser.on('file', (name, stream) => {
      parsing.parts += 1;
      collector.addFile(name, stream, malformed);
    });
    parser.on('partsLimit', () =>
      collector.refuse('', 'too_many_parts', 'There are more parts than allowed.'),
    );
    parser.on('error', malformed);
    parser.on('close', resolve);
  });
  parsed.catch(() => undefined);
  // Pieces are views of this buffer: busboy returns slices of them, except for the bytes that it carries over from one
  // piece to the next. Between pieces the event loop runs: hostile content costs the boundary search 13 ns per byte.
  for (let from = 0; from < body.byteLength && !parsing.hasFailed; from += pieceBytes) {
    const length = Math.min(pieceBytes, body.byteLength - from);
    const piece = Buffer.from(body.buffer, body.byteOffset + from, length);
    announced.countTo(from + length);
    await new Promise<void>((resolve) => void parser.write(piece, () => setImmediate(resolve)));
  }
  parser.end();
  await parsed;
  if (announced.parts <= maxParts && announced.parts !== parsing.parts) {
    const message = 'A part has no readable Content-Disposition, or other characters follow its delimiter.';
    collector.refuse('', 'invalid_format', message);
  }
  return collector.finish();
}

const pieceBytes = 512 * 1024;

/** Above the allowed number, so that the refusal can name the surplus part. */
function partsLimit({ fields, files }: MultipartSpec): number {
  const maxFiles = Object.values(files).reduce((sum, file) => sum + file.maxCount, 0);
  return Object.keys(fields).length + maxFiles + 8;
}

/** If busboy reads another one, its parts do not match the delimiters, and the form is refused. */
function boundaryOf(contentType: string): string {
  try {
    return new MIMEType(contentType).params.get('boundary') ?? '';
  } catch {
    return '';
  }
}

function createParser(contentType: string, spec: MultipartSpec, maxParts: number): busboy.Busboy {
  const fields = Object.values(spec.fields);
  const files = Object.values(spec.files);
  try {
    return busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: maxParts,
        // Above the allowed sizes, so that the refusal can name the oversized part.
        fieldSize: Math.max(0, ...fields.map((field) => field.maxBytes)) + 1,
        fileSize: Math.max(0, ...files.map((file) => file.maxBytes)) + 1,
        headerPairs: 32,
      },
    });
  } catch {
    throw invalidMultipart('The Content-Type has no usable multipart boundary.');
  }
}
