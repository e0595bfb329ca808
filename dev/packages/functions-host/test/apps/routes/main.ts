// Overlapping and constrained templates; each function says its name and what it was given.
import { app } from '@azure/functions';
import type { HttpMethod } from '@azure/functions';

function route(name: string, template: string, methods: HttpMethod[] = ['GET']): void {
  app.http(name, {
    route: template,
    methods,
    handler: (request) => ({ jsonBody: { name, params: request.params, url: request.url } }),
  });
}

route('int', 'int/{id:int}');
route('range', 'range/{id:int:range(1,9)}');
route('guid', 'guid/{id:guid}');
route('code', 'code/{id:length(3):alpha}');
route('pattern', String.raw`pattern/{id:regex(^\d{{2}}-[ab]$)}`);
route('optional', 'optional/{first}/{second?}');
route('fallback', 'fallback/{size=small}/{colour=red}');
route('rest', 'rest/{*path}');
route('file', 'file/{name}.{extension?}');
route('pair', 'pair/{from}-{to}');
route('value', 'value/{value}');
route('MixedCase', 'Mixed/Case/{Value}');

// Registered in an order that must not matter: the first name wins.
route('order-b-exact', 'order/exact');
route('order-a-any', 'order/{any}');
route('ov4_x', 'ordinal');
route('ov4ax', 'ordinal');
route('dash-1', 'dash');
route('dash1', 'dash');
route('sameGet', 'same', ['GET']);
route('samePost', 'same', ['POST']);
route('zz-twice', 'twice');
route('aa-twice', 'twice');
