import type { z } from 'zod';

/** The allowed parts of a multipart/form-data body; any other part is refused. */
export interface MultipartSpec {
  /** Name of the form in the OpenAPI document. */
  id: string;
  description: string;
  /** Maximum size of the whole body in bytes. */
  maxBytes: number;
  fields: Readonly<
    Record<
      string,
      {
        required: boolean;
        maxBytes: number;
        description: string;
        /** Schema of the field's JSON text, for the OpenAPI document; the handler validates it. */
        json?: z.ZodType;
      }
    >
  >;
  files: Readonly<
    Record<string, { required: boolean; maxCount: number; maxBytes: number; description: string }>
  >;
}

/** A form as its spec guarantees it: `parseMultipart` refuses a form without its required parts. */
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
   * Each file's bytes in the order sent: views of the request's buffer, never copies. The declared file name and type are
   * dropped on purpose: they prove nothing.
   */
  files: Readonly<Record<string, readonly Uint8Array[]>>;
}
