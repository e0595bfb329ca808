export { type Answer, applyAnswer, type IntakeState } from './apply-answer.ts';
export type { CallOptions, KeyOptions, RetryOptions, TenantOptions, TextOptions } from './call-options.ts';
export type { Calls, Reply } from './calls.ts';
export {
  createDermagate,
  type Dermagate,
  type DermagateOptions,
  type Transport,
} from './create-dermagate.ts';
export { DermagateError, type ErrorCode } from './dermagate-error.ts';
export type { ImageOptions, UploadOptions } from './patient/image-calls.ts';
export type { SessionChange, SessionListener } from './session-changes.ts';
export { subjectOf } from './subject-of.ts';
export { inIndexedDb, inMemory, type TokenStore } from './token-store.ts';
export { drawJpeg } from './canvas.ts';
export {
  fitPhoto,
  fitPhotos,
  formLimits,
  type PhotoFacts,
  photoLimits,
  shrink,
  type Size,
  sizeToRedraw,
} from './fit-photos.ts';
export { createPhotoUrls, type PhotoOptions, type PhotoUrl, type PhotoUrls } from './photo-urls.ts';
export { isProblem } from './problem.ts';
export type { Fetch } from './session.ts';
export type { ProgressListener } from './upload.ts';
export type * from './schema.ts';
