import busboy from 'busboy';
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
  const parser = createParser(contentType, spec);
  const parsing = { hasFailed: false };
  const parsed = new Promise<void>((resolve, reject) => {
    const malformed = () => {
      parsing.hasFailed = true;
      reject(invalidMultipart('The multipart body is cut short or malformed.'));
    };
    parser.on('field', (name, value, info) => collector.addField(name, value, info.valueTruncated));
    parser.on('file', (name, stream) => collector.addFile(name, stream, malformed));
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
    await new Promise<void>((resolve) => void parser.write(piece, () => setImmediate(resolve)));
  }
  parser.end();
  await parsed;
  return collector.finish();
}

const pieceBytes = 512 * 1024;

function createParser(contentType: string, spec: MultipartSpec): busboy.Busboy {
  const fields = Object.values(spec.fields);
  const files = Object.values(spec.files);
  const parts = fields.length + files.reduce((sum, file) => sum + file.maxCount, 0);
  try {
    return busboy({
      headers: { 'content-type': contentType },
      limits: {
        // Above the allowed numbers, so that the refusal can name the surplus or oversized part.
        parts: parts + 8,
        fieldSize: Math.max(0, ...fields.map((field) => field.maxBytes)) + 1,
        fileSize: Math.max(0, ...files.map((file) => file.maxBytes)) + 1,
        headerPairs: 32,
      },
    });
  } catch {
    throw invalidMultipart('The Content-Type has no usable multipart boundary.');
  }
}
