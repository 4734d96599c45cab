import { FakeClock } from '@tidings/live/testing';
import type { News } from '@tidings/client/tell';
import { describe, expect, it } from 'vitest';
import { Announcements } from './message/announcement.ts';
import { Attachment } from './attachment.ts';

function attachment({ confirms }: { confirms: boolean }): Attachment {
  const read = () => Promise.reject(new Error('Nothing is read.'));
  return new Attachment(0, confirms, new Announcements({ style: 'line', clock: new FakeClock(), read }));
}

function news(...names: string[]): News[] {
  return names.map((name) => ({
    type: 'resource_update',
    serverId: 'notes',
    resourceUri: `note://${name}`,
    timestamp: '2026-01-02T03:04:05.678Z',
  }));
}

describe('an attachment', () => {
  it('returns the unsent updates, to be sent again', () => {
    const attached = attachment({ confirms: false });
    attached.begin({ news: news('a', 'b', 'c'), isSummary: false });
    attached.messageSent(1);
    expect(attached.undelivered).toEqual(news('b', 'c'));
    attached.messageSent(3);
    attached.end();
    expect(attached.undelivered).toEqual([]);
  });

  it('sends unconfirmed messages again', () => {
    const attached = attachment({ confirms: true });
    attached.begin({ news: news('a', 'b', 'c'), isSummary: false });
    attached.messageSent(1);
    attached.messageSent(2);
    attached.arrived(1);
    expect(attached.undelivered).toEqual(news('b', 'c'));
  });

  it('counts a summary that was not delivered as one message', () => {
    const attached = attachment({ confirms: true });
    attached.begin({ news: news('a', 'b', 'c'), isSummary: true });
    expect(attached.undeliveredMessages).toBe(1);
    attached.messageSent(3);
    attached.end();
    attached.begin({ news: news('d', 'e', 'f'), isSummary: false });
    attached.messageSent(1);
    expect([attached.undelivered.length, attached.undeliveredMessages]).toEqual([6, 4]);
    attached.arrived(2);
    expect([attached.undelivered.length, attached.undeliveredMessages]).toEqual([2, 2]);
  });

  it('waits for the confirmation of the latest message about a resource', () => {
    const attached = attachment({ confirms: true });
    for (let round = 0; round < 2; round += 1) {
      attached.begin({ news: news('a'), isSummary: false });
      attached.messageSent(1);
      attached.end();
    }
    attached.arrived(1);
    expect(attached.undelivered).toEqual(news('a'));
    attached.arrived(2);
    expect(attached.undelivered).toEqual([]);
  });

  it('numbers a message by its update, also if several messages are about one update', () => {
    const attached = attachment({ confirms: true });
    attached.begin({ news: news('a', 'b'), isSummary: false });
    expect(attached.next(0)).toEqual({ message: 1, news: news('a') });
    attached.messageSent(0);
    expect(attached.next(1)).toEqual({ message: 2, news: news('a') });
    attached.messageSent(1);
    expect(attached.next(2)).toEqual({ message: 3, news: news('b') });
  });
});
