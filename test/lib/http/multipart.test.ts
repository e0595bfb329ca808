import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMultipart } from '../../../src/lib/http/multipart.ts';
import type { Form, MultipartSpec } from '../../../src/lib/http/multipart-spec.ts';
import type { Problem } from '../../../src/contract/problem.ts';
import { BOUNDARY, multipart, type MultipartBody, type Part } from '../../support/multipart.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const spec = {
  id: 'PhotoForm',
  description: '',
  maxBytes: 1_000_000,
  files: { image: { required: true, maxCount: 2, maxBytes: 1000, description: '' } },
  fields: {
    anamnesis: { required: true, maxBytes: 100, description: '' },
    note: { required: false, maxBytes: 10, description: '' },
  },
} satisfies MultipartSpec;

const image: Part = { name: 'image', filename: 'a.png', type: 'image/png', body: Uint8Array.of(1, 2, 3) };
const anamnesis: Part = { name: 'anamnesis', body: '{"a":1}' };

/** As serve() hands it over: a view of the whole buffer, which is the request's own. */
const parse = ({ body, contentType }: MultipartBody): Promise<Form> =>
  parseMultipart(new Uint8Array(Uint8Array.from(body).buffer), contentType, spec);

async function refusal(form: MultipartBody): Promise<Problem> {
  return await parse(form).then(
    () => {
      throw new Error('was accepted');
    },
    (problem: Problem) => problem,
  );
}

const refusalOf = (...parts: Part[]) => refusal(multipart(parts));
const pointers = ({ errors = [] }: Problem) => errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('what is accepted', () => {
  test('fields as text and files as their bytes, in the order sent', async () => {
    const second = { ...image, body: Uint8Array.of(4) };
    const form = await parse(multipart([image, anamnesis, second, { name: 'note', body: 'שלום' }]));
    expect(form.fields).toEqual({ anamnesis: '{"a":1}', note: 'שלום' });
    expect(form.files['image']).toEqual([Uint8Array.of(1, 2, 3), Uint8Array.of(4)]);
  });

  test("a file is a view of the request's own buffer, never a copy", async () => {
    const { body, contentType } = multipart([{ ...image, body: new Uint8Array(900).fill(7) }, anamnesis]);
    const bytes = Uint8Array.from(body);
    const form = await parseMultipart(bytes, contentType, spec);
    const file = form.files['image']?.[0];
    expect(file?.buffer).toBe(bytes.buffer);
    expect(file?.byteOffset).toBe(body.indexOf('\r\n\r\n') + 4);
    expect(file?.byteLength).toBe(900);
  });

  test('files are whole wherever the pieces end in which a large body is parsed', async () => {
    const large = { ...spec, files: { image: { ...spec.files.image, maxBytes: 2_000_000 } } };
    // The parser remembers what may be the beginning of the boundary from one piece to the next.
    const beginnings = ['\r', '\r\n', '\r\n--', `\r\n--${BOUNDARY.slice(0, -1)}`, 'x', '\r\n--\r\n--\r'];
    for (const beginning of beginnings) {
      const header = multipart([{ ...image, body: new Uint8Array() }]).body.indexOf('\r\n\r\n') + 4;
      for (const shift of [-beginning.length - 1, -beginning.length, -1, 0, 1, beginning.length]) {
        const content = Buffer.alloc(1_200_000, 'ZY');
        for (const end of [512 * 1024, 1024 * 1024]) content.write(beginning, end - header + shift);
        const small = Uint8Array.of(9, 8, 7);
        const form = multipart([{ ...image, body: content }, { ...image, body: small }, anamnesis]);
        const bytes = Uint8Array.from(form.body);
        const { files } = await parseMultipart(bytes, form.contentType, large);
        expect(Buffer.compare(files['image']?.[0] ?? small, content)).toBe(0);
        expect(files['image']?.[0]?.buffer).toBe(bytes.buffer);
        expect(files['image']?.[1]).toEqual(small);
      }
    }
  });

  test('a small file is whole wherever it lies across the end of a piece', async () => {
    const large = { ...spec, files: { image: { ...spec.files.image, maxBytes: 2_000_000 } } };
    const small = Buffer.from('\r\n--\r\n-\r\n');
    const around = multipart([
      { ...image, body: new Uint8Array() },
      { ...image, body: small },
      anamnesis,
    ]).body;
    const place = around.indexOf(small);
    for (let shift = -40; shift <= small.length + 4; shift += 1) {
      const content = Buffer.alloc(512 * 1024 - place + shift, 'abcdefg');
      const form = multipart([{ ...image, body: content }, { ...image, body: small }, anamnesis]);
      const { files, fields } = await parseMultipart(Uint8Array.from(form.body), form.contentType, large);
      expect(
        files['image']?.map((file) =>
          Buffer.from(file).equals(file === files['image']?.[0] ? content : small),
        ),
      ).toEqual([true, true]);
      expect(fields).toEqual({ anamnesis: '{"a":1}' });
    }
  });

  test('others have their turn while a large body is parsed', async () => {
    const large = { ...spec, files: { image: { ...spec.files.image, maxBytes: 20_000_000 } } };
    const boundary = 'a'.repeat(70);
    const body = Buffer.alloc(15_000_000, 'a');
    body.write(`--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`);
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    await parseMultipart(body, `multipart/form-data; boundary=${boundary}`, large).catch(() => undefined);
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
  });

  test('a view of a larger buffer is read from where it starts', async () => {
    const { body, contentType } = multipart([image, anamnesis]);
    const larger = new Uint8Array(body.length + 50).fill(255);
    larger.set(body, 30);
    const form = await parseMultipart(larger.subarray(30, 30 + body.length), contentType, spec);
    expect(form.files['image']).toEqual([Uint8Array.of(1, 2, 3)]);
  });

  test('any bytes survive, also those that look like the beginning of a delimiter', async () => {
    const lookalike = fc.constantFrom(
      '\r',
      '\n',
      '-',
      '--',
      '\r\n--',
      `\r\n--${BOUNDARY.slice(0, -1)}`,
      '\0',
    );
    const octets = fc.oneof(
      lookalike.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 20 }),
    );
    const content = fc
      .array(octets, { maxLength: 12 })
      .map((pieces) => new Uint8Array(Buffer.concat(pieces)))
      .filter((bytes) => !Buffer.from(bytes).includes(BOUNDARY));
    await fc.assert(
      fc.asyncProperty(content, content, async (first, second) => {
        const files = [first, second].map((body) => ({ ...image, body }));
        const form = await parse(multipart([...files, anamnesis]));
        expect(form.files['image']).toEqual([first, second]);
      }),
    );
  });

  test('an empty file, for its reader to judge', async () => {
    const form = await parse(multipart([{ ...image, body: '' }, anamnesis]));
    expect(form.files['image']?.[0]).toHaveLength(0);
  });

  test('text that a browser sent as a Blob', async () => {
    const blob = { ...anamnesis, filename: 'blob', type: 'application/json' };
    expect((await parse(multipart([image, blob]))).fields['anamnesis']).toBe('{"a":1}');
  });

  test('a quoted boundary, a preamble and an epilogue', async () => {
    const { body } = multipart([image, anamnesis]);
    const wrapped = Buffer.concat([Buffer.from('to be ignored\r\n'), body, Buffer.from('\r\nand this too')]);
    const contentType = `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`;
    const form = await parseMultipart(wrapped, contentType, spec);
    expect(form.fields).toEqual({ anamnesis: '{"a":1}' });
  });

  test('a part whose declared type, name or encoding lies', async () => {
    const odd = { ...image, filename: '../../etc/passwd.exe', type: 'text/html; charset=utf-7' };
    expect((await parse(multipart([odd, anamnesis]))).files['image']).toEqual([Uint8Array.of(1, 2, 3)]);
  });
});

describe('what is refused names the part', () => {
  test('missing parts, all at once', async () => {
    const problem = await refusalOf();
    expect(problem).toMatchObject({ code: 'invalid_multipart', status: 400 });
    expect(pointers(problem)).toEqual(['/image required', '/anamnesis required']);
  });

  test.each<[string, Part[], string[]]>([
    ['a part of an unknown name', [image, anamnesis, { name: 'extra', body: '1' }], ['/extra unknown_field']],
    ['a file of an unknown name', [image, anamnesis, { ...image, name: 'photo' }], ['/photo unknown_field']],
    ['a field twice', [image, anamnesis, anamnesis], ['/anamnesis too_many']],
    [
      'a field twice, once as a file',
      [image, anamnesis, { ...anamnesis, filename: 'x' }],
      ['/anamnesis too_many'],
    ],
    ['a third file where two may be', [image, image, image, anamnesis], ['/image too_many']],
    ['text where a file belongs', [{ name: 'image', body: 'abc' }, anamnesis], ['/image invalid_type']],
    ['a part without a name', [image, anamnesis, { body: 'x' }], [' unknown_field']],
    [
      'names of object members',
      [image, anamnesis, { name: '__proto__', body: 'x' }],
      ['/__proto__ unknown_field'],
    ],
    [
      'a file named constructor',
      [image, anamnesis, { ...image, name: 'constructor' }],
      ['/constructor unknown_field'],
    ],
    [
      'text that is not UTF-8',
      [image, { ...anamnesis, body: Uint8Array.of(0x22, 0xe9, 0x22) }],
      ['/anamnesis invalid_format'],
    ],
    ...['windows-1255', 'windows-1256', 'iso-8859-8', 'utf-16', 'x'].map(
      (charset): [string, Part[], string[]] => [
        `text in ${charset}`,
        [image, { ...anamnesis, type: `application/json; charset=${charset}` }],
        ['/anamnesis invalid_format'],
      ],
    ),
    [
      'an unknown part in a charset that is not supported',
      [image, anamnesis, { name: 'extra', type: 'text/plain; charset=utf-16', body: '1' }],
      ['/extra unknown_field'],
    ],
    [
      'a Blob of text that is not UTF-8',
      [image, { ...anamnesis, filename: 'blob', body: Uint8Array.of(0x22, 0xe9, 0x22) }],
      ['/anamnesis invalid_format'],
    ],
  ])('%s', async (_what, parts, expected) => {
    const problem = await refusalOf(...parts);
    expect(problem.code).toBe('invalid_multipart');
    expect(pointers(problem)).toEqual(expected);
  });

  test('a replacement character that the sender really wrote is text like any other', async () => {
    const binary = { ...image, body: Uint8Array.of(0xff, 0xd8, 0xff) };
    const empty = { ...image, body: '' };
    const form = await parse(multipart([binary, { ...anamnesis, body: '"\uFFFD"' }, empty]));
    expect(form.fields['anamnesis']).toBe('"\uFFFD"');
  });

  /** A photo whose header is `disposition`, after a complete form. */
  const withPhoto = (disposition: string): Part => ({
    headers: [`Content-Disposition: ${disposition}`, 'Content-Type: image/jpeg'],
    body: Uint8Array.of(4),
  });

  test.each<[string, Part]>([
    ['white space around =', withPhoto('form-data; name="image"; filename = "b.jpg"')],
    [
      'a file name in an unknown charset',
      withPhoto(`form-data; name="image"; filename*=windows-1255''%F9.jpg`),
    ],
    ['a quotation mark in a file name', withPhoto('form-data; name="image"; filename="mole 1" left.jpg"')],
    [
      'a file name with a space and no quotation marks',
      withPhoto('form-data; name="image"; filename=IMG 2.jpg'),
    ],
    ['a semicolon at the end', withPhoto('form-data; name="image"; filename="b.jpg";')],
    ['another disposition', withPhoto('attachment; name="image"; filename="b.jpg"')],
    ['no disposition', { headers: ['Content-Type: image/jpeg'], body: Uint8Array.of(4) }],
  ])('a part with %s is refused, never left out', async (_what, part) => {
    for (const parts of [
      [part, image, anamnesis],
      [image, part, anamnesis],
      [image, anamnesis, part],
    ]) {
      const problem = await refusalOf(...parts);
      expect(problem).toMatchObject({ code: 'invalid_multipart', status: 400 });
      expect(pointers(problem)).toEqual([' invalid_format']);
    }
  });

  test.each([' ', '\t', '-', '\r', 'x', '\n'])(
    'a part whose delimiter is followed by %j is refused, never left out',
    async (padding) => {
      const { body, contentType } = multipart([image, anamnesis, image]);
      for (const place of [body.indexOf(BOUNDARY), body.lastIndexOf(`${BOUNDARY}\r`)]) {
        const end = place + BOUNDARY.length;
        const padded = [body.subarray(0, end), Buffer.from(padding), body.subarray(end)];
        const problem = await refusal({ contentType, body: Buffer.concat(padded) });
        expect(problem).toMatchObject({ code: 'invalid_multipart', status: 400 });
      }
    },
  );

  test('a part after the closing delimiter is refused, never left out', async () => {
    const { body, contentType } = multipart([image, anamnesis]);
    const after = multipart([image]).body;
    expect(pointers(await refusal({ contentType, body: Buffer.concat([body, after]) }))).toEqual([
      ' invalid_format',
    ]);
  });

  test('a part is not left out wherever the pieces end in which a large body is parsed', async () => {
    const large = { ...spec, files: { image: { ...spec.files.image, maxBytes: 2_000_000 } } };
    const odd = withPhoto('form-data; name="image"; filename = "b.jpg"');
    const header = multipart([{ ...image, body: new Uint8Array() }]).body.indexOf('\r\n\r\n') + 4;
    for (let shift = -BOUNDARY.length - 6; shift <= 4; shift += 1) {
      const content = Buffer.alloc(512 * 1024 - header + shift, 'abcdefg');
      const form = multipart([{ ...image, body: content }, odd, anamnesis]);
      const parsing = parseMultipart(form.body, form.contentType, large);
      await expect(parsing, `${shift}`).rejects.toMatchObject({ code: 'invalid_multipart' });
    }
  });

  test('the name of a part is repeated only in harmless characters', async () => {
    const problem = await refusalOf(image, anamnesis, { name: '<img src=x>é', body: '' });
    expect(problem.errors?.[0]?.pointer).toMatch(/^\/\?img\?src\?x\?+$/);
  });
});

describe('what is too large is 413', () => {
  test.each<[string, Part[]]>([
    ['a field', [image, { ...anamnesis, body: 'x'.repeat(101) }]],
    ['a field by its bytes, not its letters', [image, { ...anamnesis, body: 'é'.repeat(51) }]],
    ['a field far beyond', [image, { ...anamnesis, body: 'x'.repeat(200_000) }]],
    ['a smaller field than the largest', [image, anamnesis, { name: 'note', body: 'x'.repeat(11) }]],
    ['text sent as a file', [image, { ...anamnesis, filename: 'blob', body: 'x'.repeat(101) }]],
    ['a file', [{ ...image, body: new Uint8Array(1001) }, anamnesis]],
    ['a file far beyond', [{ ...image, body: new Uint8Array(300_000) }, anamnesis]],
  ])('%s', async (_what, parts) => {
    expect(await refusalOf(...parts)).toMatchObject({ code: 'payload_too_large', status: 413 });
  });

  test('while the limit itself is not', async () => {
    const form = await parse(
      multipart([
        { ...image, body: new Uint8Array(1000) },
        { ...anamnesis, body: 'x'.repeat(100) },
      ]),
    );
    expect(form.files['image']?.[0]).toHaveLength(1000);
    expect(form.fields['anamnesis']).toHaveLength(100);
  });
});

describe('what is no multipart body is refused, and never waited for', () => {
  const whole = multipart([image, anamnesis]);

  test('one that is cut off, wherever it is cut', async () => {
    const delimiter = Buffer.from(`--${BOUNDARY}--`);
    const end = whole.body.indexOf(delimiter) + delimiter.length;
    for (let length = 0; length < end; length += 1) {
      const problem = await refusal({ ...whole, body: whole.body.subarray(0, length) });
      expect(problem).toMatchObject({ code: 'invalid_multipart', status: 400 });
    }
  });

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a boundary that the body does not have', 'multipart/form-data; boundary=other'],
    ['a header that does not parse', 'multipart/form-data; =;;'],
  ])('%s', async (_what, contentType) => {
    expect(await refusal({ ...whole, contentType })).toMatchObject({ code: 'invalid_multipart' });
  });

  test.each<[string, Part]>([
    ['its own boundary', { ...image, body: `abc\r\n--${BOUNDARY}\r\ndef` }],
    ['its own closing delimiter', { ...image, body: `abc\r\n--${BOUNDARY}--\r\ndef` }],
  ])('a file that contains %s', async (_what, file) => {
    expect(await refusalOf(file, anamnesis)).toMatchObject({ code: 'invalid_multipart' });
  });

  test.each<[string, readonly string[]]>([
    ['endless headers', Array.from({ length: 3000 }, (_, index) => `X-${index}: ${index}`)],
    ['one endless header', [`X: ${'y'.repeat(20_000)}`]],
    ['a header without a colon', ['Content-Disposition form-data; name="image"']],
    ['a control character in a header', ['Content-Disposition: form-data; name="image"\u0001']],
  ])('a part with %s', async (_what, headers) => {
    const problem = await refusalOf({ headers, body: 'x' }, image, anamnesis);
    expect(problem.code).toBe('invalid_multipart');
  });

  test('a flood of fields, of which only the first are named', async () => {
    const flood = Array.from({ length: 5000 }, (_, index) => ({ name: `f${index}`, body: '' }));
    const problem = await refusalOf(image, anamnesis, ...flood);
    expect(problem.code).toBe('invalid_multipart');
    expect(problem.errors?.length).toBeLessThanOrEqual(20);
    expect(pointers(problem)).toContain(' too_many_parts');
  });

  test('a flood of files', async () => {
    const problem = await refusalOf(anamnesis, ...Array.from({ length: 5000 }, () => image));
    expect(problem.code).toBe('invalid_multipart');
    expect(problem.errors?.length).toBeLessThanOrEqual(20);
  });

  test('any bytes at all: they are accepted or refused, never a crash and never silence', async () => {
    const text = whole.body.toString('latin1');
    const damaged = fc
      .tuple(fc.nat(text.length), fc.nat(20), fc.string({ unit: 'binary-ascii', maxLength: 8 }))
      .map(([at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed));
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.string({ unit: 'binary' })), async (body) => {
        const outcome = await parse({ ...whole, body: Buffer.from(body, 'latin1') }).then(
          () => 'accepted',
          (problem: Problem) => problem.code,
        );
        expect(['accepted', 'invalid_multipart', 'payload_too_large']).toContain(outcome);
      }),
      { numRuns: propertyRuns(120) },
    );
  });
});
