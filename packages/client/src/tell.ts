// Whether, when and with which text an agent is notified: for the hub's sessions and for `updates()`.
export type { InterestOptions } from './tell/interest.ts';
export { Interest } from './tell/interest.ts';
export { newsMessage, summaryMessage, updateMessage } from './tell/message.ts';
export type { Gap, News, Update } from './tell/news.ts';
export { newsKey, newsOf } from './tell/news.ts';
export type { Batch, PacingOptions } from './tell/pacing.ts';
export { Pacing } from './tell/pacing.ts';
export { plainUri, shortPlainUri } from './tell/plain-uri.ts';
export { RejectedMessages } from './tell/rejected-messages.ts';
export { refusedEvent } from './tell/refused-event.ts';
