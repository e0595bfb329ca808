import { relative } from 'node:path';
import {
  cli,
  type ConfigureHooks,
  type HttpRegion,
  type HttpResponse,
  HttpSymbolKind,
  io,
  type RequestLogger,
  send,
  store,
  VariableType,
} from 'httpyac';

/** What a request of the collection says about its reply: `# expect 400 validation_error /email /role`. */
export type Expectation = {
  status: number;
  /** Of the problem. */
  code: string | undefined;
  /** Of the refused fields; all of them have to be named. */
  pointers: readonly string[];
};

export type Reply = { status: number; headers: Headers; body: Buffer };

export type CollectionRequest = {
  file: string;
  /** Of the request line, from 1, as editors count. */
  line: number;
  title: string;
  method: string;
  /** As written, with its variables, but without `{{host}}` and query. */
  path: string;
  expectation: Expectation;
  /** @throws when there is no reply, or when a variable has no value. */
  send(): Promise<Reply>;
};

export type Substitutes = {
  /** Values that stand in for those in the file, by variable; a function is asked when a request needs it. */
  variables: Readonly<Record<string, string | (() => string | Promise<string>)>>;
  /** Files to send instead, by the path in the file. */
  files: Readonly<Record<string, string>>;
};

// httpYac as a library knows no file system, and writes what we report ourselves to the console.
cli.initFileProvider();
io.log.options.logMethod = () => undefined;

const FILE_PATH: string = VariableType.filePath;

/**
 * The requests of a .http file as httpYac reads them, in order. One that needs an earlier one has to be sent after it.
 * @throws when a request has no title or does not say what it expects.
 */
export async function readCollection(
  file: string,
  text: string,
  substitutes: Substitutes,
): Promise<CollectionRequest[]> {
  const files = new store.HttpFileStore({ substitutes: substituting(substitutes) });
  const httpFile = await files.parse(file, text, {});
  return httpFile.httpRegions
    .filter(({ request }) => request !== undefined)
    .map((region) => {
      const place = placeOf(region, relative(process.cwd(), file));
      return {
        ...place,
        method: region.request?.method ?? 'GET',
        path: region.request?.url?.replace(/^\{\{host\}\}|\?.*$/g, '') ?? '',
        expectation: expectationOf(region, place),
        async send() {
          let response: HttpResponse | undefined;
          const logResponse: RequestLogger = async (logged, from) => {
            if (from === region) response = logged;
          };
          await send({ httpFile, httpRegion: region, logResponse });
          return replyOf(response, region);
        },
      };
    });
}

type Place = Pick<CollectionRequest, 'file' | 'line' | 'title'>;

/** Where to look, as an error says it. */
export const describePlace = ({ file, line, title }: Place): string => `${file}:${line} (${title})`;

function placeOf({ metaData, symbol }: HttpRegion, file: string): Place {
  const [request] = symbol.filter(({ kind }) => kind === HttpSymbolKind.requestLine);
  const line = (request ?? symbol).startLine + 1;
  if (typeof metaData['title'] === 'string') return { file, line, title: metaData['title'] };
  throw new Error(`${file}:${line} has no title: write "### What it shows" above it.`);
}

function expectationOf({ symbol }: HttpRegion, place: Place): Expectation {
  const lines = symbol.source?.match(/^# expect\b.*$/gm) ?? [];
  const match = /^# expect (?<status>\d{3})(?: (?<code>[a-z_]+)(?<pointers>(?: \/\S*)*))?$/.exec(
    lines[0] ?? '',
  );
  if (lines.length !== 1 || match === null) {
    throw new Error(
      `${describePlace(place)} needs one line "# expect <status>", or "# expect <status> <code> <pointer> …".`,
    );
  }
  const {
    status,
    code,
    pointers = '',
  } = match.groups as { status: string; code?: string; pointers?: string };
  return { status: Number(status), code, pointers: pointers.split(' ').filter((pointer) => pointer !== '') };
}

function substituting({ variables, files }: Substitutes): ConfigureHooks {
  const replace = async (text: unknown, type: string): Promise<unknown> => {
    if (typeof text !== 'string') return text;
    if (type === FILE_PATH) return files[text] ?? text;
    let replaced = text;
    for (const [name, value] of Object.entries(variables)) {
      if (!replaced.includes(`{{${name}}}`)) continue;
      replaced = replaced.replaceAll(`{{${name}}}`, typeof value === 'string' ? value : await value());
    }
    return replaced;
  };
  return ({ hooks }) => hooks.replaceVariable.addHook('substitutes', replace, { before: ['host'] });
}

function replyOf(response: HttpResponse | undefined, { testResults = [] }: HttpRegion): Reply {
  if (response === undefined) {
    throw new Error(testResults.map(({ message }) => message).join('; ') || 'There was no reply.');
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers ?? {})) headers.set(name, String(value));
  return { status: response.statusCode, headers, body: response.rawBody ?? Buffer.alloc(0) };
}
