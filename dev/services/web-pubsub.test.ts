import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebPubSubServiceClient } from '@azure/web-pubsub';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { listenTo, refusalOf, webPubSub } from '../../test/support/web-pubsub.ts';

// The stand-in, through Azure's own SDK on the side of the server. What clients send and receive is what Microsoft documents:
// https://learn.microsoft.com/azure/azure-web-pubsub/reference-json-webpubsub-subprotocol

const service = await webPubSub();
const sdk = (hub: string, connectionString = service.connectionString) =>
  new WebPubSubServiceClient(connectionString, hub, { allowInsecureConnection: true });

type Frame = Record<string, unknown> & { type: string };

interface ClientOptions {
  groups?: string[];
  roles?: string[];
  userId?: string;
  protocols?: string[];
}

async function client(hub: string, { protocols, ...options }: ClientOptions = {}) {
  const { url } = await sdk(hub).getClientAccessToken(options);
  return await listenTo<Frame>(url, protocols);
}

/** What is answered to the request with this ackId. */
const acked = ({ first }: Awaited<ReturnType<typeof client>>, ackId: number) =>
  first((frame) => frame.type === 'ack' && frame['ackId'] === ackId);

const isMessage = ({ type }: Frame) => type === 'message';

test('a client is greeted, receives what is sent to its groups and to its user, and nothing else', async () => {
  const [ann, ben, elsewhere] = await Promise.all([
    client('counts', { userId: 'ann', groups: ['one'] }),
    client('counts', { userId: 'ben', groups: ['two'] }),
    client('other', { userId: 'ann', groups: ['one'] }),
  ]);
  expect(ann.socket.protocol).toBe('json.webpubsub.azure.v1');
  const greeting = await ann.first(() => true);
  expect(greeting).toEqual({
    type: 'system',
    event: 'connected',
    userId: 'ann',
    connectionId: expect.stringMatching(/^\S+$/),
  });
  const counts = sdk('counts');
  await counts.group('one').sendToAll({ n: 1 });
  await counts.sendToUser('ann', { n: 2 });
  await counts.group('two').sendToAll({ n: 3 });
  await sdk('other').group('one').sendToAll({ n: 4 });
  await Promise.all([ben.first(isMessage), elsewhere.first(isMessage)]);
  await ann.first(({ from }) => from === 'server');
  const received = [ann, ben, elsewhere].map(({ arrived }) => arrived.slice(1).map(({ message }) => message));
  expect(received).toEqual([
    [
      { type: 'message', from: 'group', group: 'one', dataType: 'json', data: { n: 1 } },
      { type: 'message', from: 'server', dataType: 'json', data: { n: 2 } },
    ],
    [{ type: 'message', from: 'group', group: 'two', dataType: 'json', data: { n: 3 } }],
    [{ type: 'message', from: 'group', group: 'one', dataType: 'json', data: { n: 4 } }],
  ]);
  expect(await counts.userExists('ann')).toBe(true);
  expect(await counts.userExists('cleo')).toBe(false);
  expect(await counts.groupExists('two')).toBe(true);
});

test('a client may join, leave and send only with the role for it; the acknowledgement says so', async () => {
  const hub = randomUUID().replaceAll('-', '');
  const listener = await client(hub, { groups: ['room'] });
  const guest = await client(hub, { groups: ['room'] });
  const member = await client(hub, {
    userId: 'mia',
    groups: ['room'],
    roles: ['webpubsub.joinLeaveGroup.attic', 'webpubsub.sendToGroup'],
  });
  for (const [ackId, type] of ['joinGroup', 'leaveGroup', 'sendToGroup'].entries()) {
    guest.send({ type, group: 'room', ackId, data: 'from a guest', dataType: 'text' });
    expect(await acked(guest, ackId)).toEqual({
      type: 'ack',
      ackId,
      success: false,
      error: { name: 'Forbidden', message: expect.stringContaining(type) },
    });
  }
  member.send({ type: 'joinGroup', group: 'cellar', ackId: 1 });
  expect(await acked(member, 1)).toMatchObject({ success: false, error: { name: 'Forbidden' } });
  member.send({ type: 'joinGroup', group: 'attic', ackId: 2 });
  expect(await acked(member, 2)).toEqual({ type: 'ack', ackId: 2, success: true });
  await sdk(hub).group('attic').sendToAll('up here');
  expect(await member.first(isMessage)).toMatchObject({ group: 'attic', data: 'up here' });
  member.send({ type: 'leaveGroup', group: 'attic', ackId: 3 });
  await acked(member, 3);
  await sdk(hub).group('attic').sendToAll('nobody is here');

  const sent = { type: 'sendToGroup', group: 'room', dataType: 'text' };
  member.send({ ...sent, data: 'to the others', noEcho: true });
  member.send({ ...sent, data: 'to all' });
  await Promise.all([listener, guest, member].map((each) => each.first(({ data }) => data === 'to all')));
  expect(listener.arrived.slice(1).map(({ message }) => message)).toEqual(
    ['to the others', 'to all'].map((data) => ({
      type: 'message',
      from: 'group',
      group: 'room',
      dataType: 'text',
      data,
      fromUserId: 'mia',
    })),
  );
  const texts = member.arrived.flatMap(({ message }) => (isMessage(message) ? message['data'] : []));
  expect(texts).toEqual(['up here', 'to all']);
});

test('a ping is answered, an event is accepted, and what is no message ends the connection', async () => {
  for (const text of ['{', 'null', '5', '[]']) {
    const other = await client('counts');
    const closed = once(other.socket, 'close');
    other.socket.send(text);
    expect((await closed)[0]).toBe(1003);
  }
  const each = await client('counts');
  each.send({ type: 'event', event: 'hello', dataType: 'text', data: 'x' });
  each.send({ type: 'ping' });
  expect(await each.first(({ type }) => type === 'pong')).toEqual({ type: 'pong' });
});

test('a client without the subprotocol receives the data alone', async () => {
  const hub = randomUUID().replaceAll('-', '');
  const simple = await client(hub, { groups: ['room'], protocols: [] });
  expect(simple.socket.protocol).toBe('');
  simple.send({ type: 'ping' });
  await sdk(hub).group('room').sendToAll({ n: 1 });
  await simple.first(() => true);
  expect(simple.arrived.map(({ message }) => message)).toEqual([{ n: 1 }]);
});

test('tokens are checked: whose key, for which hub, until when; on both sides', async () => {
  const { url } = await sdk('counts').getClientAccessToken({ groups: ['one'] });
  const address = new URL(url);
  const token = address.searchParams.get('access_token') ?? '';
  const at = (path: string, given = token) => `ws://${address.host}${path}?access_token=${given}`;
  const key = service.connectionString.split('AccessKey=')[1]?.split(';')[0] ?? '';
  const signed = (secret: string, secondsFromNow: number) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(`http://${address.host}/client/hubs/counts`)
      .setExpirationTime(Math.floor(Date.now() / 1000) + secondsFromNow)
      .sign(new TextEncoder().encode(secret));
  await listenTo(at('/client/hubs/counts', await signed(key, 60)));
  for (const [refused, status] of [
    [at('/client/hubs/other'), 401],
    [at('/client/hubs/counts', ''), 401],
    [at('/client/hubs/counts', await signed(key, -60)), 401],
    [at('/client/hubs/counts', await signed(`${key}x`, 60)), 401],
    [at('/somewhere'), 404],
  ] as const) {
    expect([refused, (await refusalOf(refused)).status]).toEqual([refused, status]);
  }
  const stranger = sdk('counts', service.connectionString.replace(key, `${key}x`));
  await expect(stranger.group('one').sendToAll({})).rejects.toMatchObject({ statusCode: 401 });
});

test('when it stops, its clients are gone', async () => {
  const own = await webPubSub();
  const { url } = await sdk('counts', own.connectionString).getClientAccessToken();
  const { socket } = await listenTo(url);
  const closed = once(socket, 'close');
  await own.stop();
  await closed;
});
