export { type Answer, applyAnswer, type IntakeState } from './apply-answer.ts';
export type { Calls, Reply } from './calls.ts';
export { createDermagate, type Dermagate, type DermagateOptions } from './create-dermagate.ts';
export type {
  CallOptions,
  CaseActionDetails,
  GroupedCalls,
  KeyOptions,
  TenantOptions,
  TextOptions,
} from './grouped-calls.ts';
export type { FollowOptions, SessionEvent } from './follow-session.ts';
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
export { isProblem } from './problem.ts';
export type { Fetch } from './session.ts';
export type * from './schema.ts';
