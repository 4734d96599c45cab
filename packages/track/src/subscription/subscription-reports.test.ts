import { expect, it } from 'vitest';
import { SubscriptionReports } from './subscription-reports.ts';
import { type MissingSubscription, notYet } from './subscriptions.ts';

const timedOut = (uri: string): MissingSubscription => ({ uri, reason: 'timed out', isTransient: true });
const refused = (uri: string): MissingSubscription => ({ uri, reason: 'no', isTransient: false });

it('subscriptions without a response are reported once, until all are answered', () => {
  const news = new SubscriptionReports();
  const counts = [
    [notYet('a://1')],
    [timedOut('a://1')],
    [notYet('a://1')],
    [timedOut('a://1'), timedOut('a://2')],
    [],
    [timedOut('a://2')],
  ].map((refusals) => news.of(refusals, 3, true).length);
  expect(counts).toEqual([0, 1, 0, 0, 0, 1]);
});

it('each refused URI is reported once, and again if it was unsubscribed meanwhile', () => {
  const news = new SubscriptionReports();
  expect(news.of([refused('a://1')], 3, true)).toEqual([{ uri: 'a://1', error: 'no' }]);
  expect(news.of([refused('a://1'), refused('a://2')], 3, true)).toEqual([{ uri: 'a://2', error: 'no' }]);
  news.forget('a://1');
  expect(news.of([refused('a://1')], 3, false)).toEqual([{ uri: 'a://1', error: 'no' }]);
});

it('the refusal of all URIs is reported in one line, with twenty names at most', () => {
  const all = Array.from({ length: 30 }, (_, n) => refused(`a://${n}`));
  expect(new SubscriptionReports().of(all, 30, true)).toEqual([{ error: expect.stringContaining('refused all 30') }]);
  expect(new SubscriptionReports().of(all, 31, true)).toHaveLength(21);
});
