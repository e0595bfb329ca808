import type { CallOptions, KeyOptions, QueryOf, TextOptions } from '../call-options.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import type { NewTemplate, paths, TemplateChange } from '../schema.ts';

// `lang` of templates is a filter, not the language of the reply.
type TemplateQuery = QueryOf<paths['/api/v1/backoffice/templates']['get'], never>;
type DiseaseTemplateQuery = QueryOf<paths['/api/v1/backoffice/templates/disease/{diseaseId}']['get'], never>;
type PhysicianTemplateQuery = QueryOf<paths['/api/v1/backoffice/templates/doctor/{email}']['get'], never>;
type DiseaseQuery = QueryOf<paths['/api/v1/backoffice/diseases/{vendor}']['get']>;

/** Texts that physicians insert into answers. */
export function templateCalls({ get, post, patch, delete: remove }: NamedCalls) {
  return {
    list: (query: TemplateQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/templates', { params: { query } }, options),
    ofDisease: (diseaseId: number, query: DiseaseTemplateQuery = {}, options: CallOptions = {}) =>
      get(
        '/api/v1/backoffice/templates/disease/{diseaseId}',
        { params: { path: { diseaseId }, query } },
        options,
      ),
    ofPhysician: (email: string, query: PhysicianTemplateQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/templates/doctor/{email}', { params: { path: { email }, query } }, options),
    create: (body: NewTemplate, options: KeyOptions = {}) =>
      post('/api/v1/backoffice/templates', { params: { header: withKey(options) }, body }, options),
    /** `version` is the one that was read. */
    update: (id: number, body: TemplateChange & { version: number }, options: CallOptions = {}) =>
      patch('/api/v1/backoffice/templates/{id}', { params: { path: { id } }, body }, options),
    delete: (id: number, options: CallOptions = {}) =>
      remove('/api/v1/backoffice/templates/{id}', { params: { path: { id } } }, options),
  };
}

export function diseaseCalls({ get, inLanguage }: NamedCalls) {
  return {
    /** @param vendor `dermagate`, whose codes the AI service uses, or a list of the clinic. */
    list: (vendor: string, query: DiseaseQuery = {}, options: TextOptions = {}) =>
      get(
        '/api/v1/backoffice/diseases/{vendor}',
        { params: { path: { vendor }, query: { ...query, ...inLanguage(options) } } },
        options,
      ),
  };
}
