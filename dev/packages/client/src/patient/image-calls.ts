import type { CallOptions, KeyOptions, TextOptions } from '../call-options.ts';
import { type NamedCalls, ofTenant, withKey } from '../named-calls.ts';
import type { CasePhotosForm, ImageSource, PhotoForm } from '../schema.ts';
import type { ProgressListener } from '../upload.ts';
import type { IntakeOptions } from './intake-calls.ts';

export interface ImageOptions extends CallOptions {
  variant?: 'original' | 'thumbnail' | undefined;
}

export interface UploadOptions extends KeyOptions {
  /** In browsers while the photos are sent; elsewhere once, at the end. */
  onProgress?: ProgressListener | undefined;
}

/** The query that names the thumbnail, or the original. */
export const inVariant = (variant: ImageOptions['variant']) => (variant === undefined ? {} : { variant });

/** Photos of the caller. */
export function imageCalls({ get, ask, post, delete: remove, inLanguage }: NamedCalls) {
  return {
    /** Stores up to ten photos, all or none. */
    upload: (images: readonly Blob[], options: UploadOptions = {}) =>
      post(
        '/api/common/store_images',
        { body: { images: [...images] }, params: { header: withKey(options) } },
        options,
      ),
    /** Stores up to ten photos and adds them to the draft `case_uuid`; with `check_quality` each gets a verdict. */
    uploadToCase: (body: CasePhotosForm, options: TextOptions & UploadOptions = {}) =>
      post(
        '/api/v1/mobile/images/upload',
        { body, params: { query: inLanguage(options), header: withKey(options) } },
        options,
      ),
    /** Whether a photo is good enough for a diagnosis: a file, or the path of a stored photo. */
    check: (photo: PhotoForm | ImageSource, options: IntakeOptions = {}) =>
      ask(
        '/api/ai/image_validity',
        { body: photo, params: { query: { ...inLanguage(options), ...ofTenant(options) } } },
        options,
      ),
    get: (uuid: string, { variant, ...options }: ImageOptions = {}) =>
      get(
        '/api/common/images/{uuid}',
        { params: { path: { uuid }, query: inVariant(variant) }, parseAs: 'blob' },
        options,
      ),
    /** @param path behind `/api/v1/images/`, as a case names it: `<uuid>.jpg`, or `<uuid>/thumbnail.jpg`. */
    getByPath: (path: string, options: CallOptions = {}) =>
      get(
        '/api/v1/images/{path}',
        {
          params: { path: { path } },
          // Its slashes are part of the path.
          pathSerializer: (template) => template.replace('{path}', encodeURI(path)),
          parseAs: 'blob',
        },
        options,
      ),
    /** Once it was submitted with a case, a photo stays. */
    delete: (name: string, options: CallOptions = {}) =>
      remove('/api/v1/mobile/images/{name}', { params: { path: { name } } }, options),
  };
}
