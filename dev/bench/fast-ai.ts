// An AI service that answers at once, so that what remains of a call's time is the gateway's: a process of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const replies: Readonly<Record<string, string>> = {
  '/red_flags': JSON.stringify({ hasRedFlags: false, flags: [], urgency: 'low', modelVersion: 'bench' }),
  '/next_question': JSON.stringify({
    questionId: 'q_duration',
    questionText: 'How long have you had it?',
    questionType: 'radio',
    fieldName: 'complaint.duration',
    options: ['One day', 'Less than one week', 'One to four weeks'],
    isComplete: false,
    modelVersion: 'bench',
  }),
};

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const reply = replies[request.url ?? ''];
    response.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(reply);
  });
});
// Kept connections must not be closed between two rounds.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
