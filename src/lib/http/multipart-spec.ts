import type { z } from 'zod';

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
