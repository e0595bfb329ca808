// The client package knows the gateway's limits; the portal sends one photo at a time.
export { photoLimits, type PhotoFacts, shrink, type Size, sizeToRedraw } from 'dermagate-client';
