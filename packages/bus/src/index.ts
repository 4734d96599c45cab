export type { NatsBusOptions } from './nats-bus.ts';
export { openNatsBus } from './nats-bus.ts';
export { NatsFeed } from './nats-feed.ts';
