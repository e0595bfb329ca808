// multipart/form-data written by hand, so that tests can send what no client library would.

export interface Part {
  name?: string;
  /** Makes the part a file. */
  filename?: string;
  type?: string;
  /** Instead of the headers that follow from the above. */
  headers?: readonly string[];
  body: string | Uint8Array;
}

export interface MultipartBody {
  contentType: string;
  body: Buffer<ArrayBuffer>;
}

export const BOUNDARY = '----dermagate-test-7d1f';

/** A whole body: these parts, one after the other, and the closing delimiter. */
export function multipart(parts: readonly Part[], boundary = BOUNDARY): MultipartBody {
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n`, ...partPieces(part), '\r\n']);
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function partPieces({ name, filename, type, headers, body }: Part): (string | Uint8Array)[] {
  const disposition = [
    'form-data',
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(filename === undefined ? [] : [`filename="${filename}"`]),
  ].join('; ');
  const lines = headers ?? [
    `Content-Disposition: ${disposition}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return [`${lines.join('\r\n')}\r\n\r\n`, body];
}
