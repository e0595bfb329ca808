import { getMe } from './functions/auth/get-me.ts';
import { logIn } from './functions/auth/log-in.ts';
import { registerUser } from './functions/auth/register-user.ts';
import { createDiagnosis } from './functions/diagnosis/create-diagnosis.ts';
import { getDocsAsset } from './functions/discovery/get-docs-asset.ts';
import { getDocsPage } from './functions/discovery/get-docs-page.ts';
import { getOpenApiDocument } from './functions/discovery/get-openapi-document.ts';
import { getHealth } from './functions/health/get-health.ts';
import { getHealthy } from './functions/health/get-healthy.ts';
import type { AnyEndpoint } from './lib/http/endpoint.ts';

/** Every endpoint of the app; explicit, so that one bundled file can deploy. */
export const endpoints: readonly AnyEndpoint[] = [
  getHealthy,
  getHealth,
  registerUser,
  logIn,
  getMe,
  createDiagnosis,
  getOpenApiDocument,
  getDocsPage,
  getDocsAsset,
];
