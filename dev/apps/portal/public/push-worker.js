// Shows the push messages of the gateway, which say only that there is news, and opens the page that they lead to.
self.addEventListener('push', (event) => {
  const { title, options } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.url));
});
