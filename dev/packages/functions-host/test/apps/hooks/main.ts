// Every kind of hook, driven by headers of the request.
import { setTimeout as sleep } from 'node:timers/promises';
import { app } from '@azure/functions';
import type { HttpRequest, HttpResponseInit } from '@azure/functions';

app.hook.appStart((context) => {
  context.hookData.startedBy = 'appStart';
  console.log('appStart ran');
});
app.hook.appTerminate(async (context) => {
  await sleep(Number(process.env.TERMINATE_MS ?? 0));
  console.log(`appTerminate ran after ${String(context.hookData.startedBy)}`);
});

app.hook.preInvocation((context) => {
  const request = context.inputs[0] as HttpRequest;
  context.hookData.order = ['pre 1'];
  if (request.headers.get('x-throw') === 'pre') throw new Error('thrown by the pre hook');
  if (request.headers.has('x-replace-handler'))
    context.functionHandler = () => ({ body: 'replaced handler' });
  if (request.headers.has('x-replace-inputs'))
    context.inputs = [{ headers: new Map(), text: () => 'other inputs' }];
});
app.hook.preInvocation((context) => {
  (context.hookData.order as string[]).push('pre 2');
});
app.hook.postInvocation((context) => {
  const request = context.inputs[0] as HttpRequest;
  const order = (context.hookData.order as string[]).join(', ');
  if (request.headers.get('x-throw') === 'post') throw new Error('thrown by the post hook');
  if (context.error !== null && request.headers.has('x-rescue')) {
    context.error = null;
    context.result = { status: 503, body: 'rescued' };
  }
  if (context.result === undefined && request.headers.has('x-rescue')) context.result = { body: 'rescued' };
  if (request.headers.has('x-log')) context.invocationContext.log('logged by the post hook');
  if (context.result) (context.result as HttpResponseInit).headers = { 'x-order': `${order}, post` };
});
app.hook.log((context) => {
  context.message = context.message.replaceAll('secret', '******');
});

app.http('hooked', {
  route: 'hooked',
  handler: (request, context) => {
    context.log('the secret is out');
    if (request.headers?.get('x-throw') === 'handler') throw new Error('thrown by the handler');
    if (request.headers?.get('x-return') === 'undefined') return undefined as never;
    return { body: 'from the handler' };
  },
});
app.http('inputs', { route: 'inputs', handler: async (request) => ({ body: await request.text() }) });
