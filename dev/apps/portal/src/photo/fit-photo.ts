// What the gateway takes is the client's to know; the portal sends one photo at a time.
export { photoLimits, type PhotoFacts, shrink, type Size, sizeToRedraw } from 'dermagate-client';
