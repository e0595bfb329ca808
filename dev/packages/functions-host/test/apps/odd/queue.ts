import { app } from '@azure/functions';

app.storageQueue('onMessage', {
  queueName: 'messages',
  connection: 'STORAGE',
  handler: (message) => console.log(`message: ${JSON.stringify(message)}`),
});
