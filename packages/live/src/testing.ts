// For tests of servers, feeds and sessions. Needs @modelcontextprotocol/client.
export { eventually } from './testing/eventually.ts';
export { FakeClock } from './testing/fake-clock.ts';
export { FakeFeed } from './testing/fake-feed.ts';
export type { FeedCase, OpenFeed } from './testing/feed-cases.ts';
export { feedCases } from './testing/feed-cases.ts';
export { refusalOf } from './testing/refusal-of.ts';
export type { SessionCase, SessionUnderTest } from './testing/session-cases.ts';
export { sessionCases } from './testing/session-cases.ts';
export { sessionFixture } from './testing/session-fixture.ts';
export type { Era, LogMessage, TestClient, TestSubscription } from './testing/test-client.ts';
export {
  ToolFailure,
  connectFetch,
  connectHttp,
  connectMemory,
  connectPipes,
  connectStdio,
  told,
} from './testing/test-client.ts';
