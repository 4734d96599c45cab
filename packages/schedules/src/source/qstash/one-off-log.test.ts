import { describe, expect, it } from 'vitest';
import { NtfyAddress } from './ntfy-address.ts';
import { logEntry, oneOffLabels, oneOffsFromLog } from './one-off-log.ts';

const ntfy = new NtfyAddress(new URL('https://ntfy.example'));
const created = {
  time: 1000,
  messageId: 'msg_1',
  state: 'CREATED',
  url: 'https://ntfy.example/team-alerts',
  body: 'VGVh',
  labels: oneOffLabels(60),
};
const waiting = { notification_id: 'msg_1', notification_body: 'Tea', due: '1970-01-01T00:01:00.000Z' };

function read(...lines: Record<string, unknown>[]) {
  return oneOffsFromLog(
    lines.map((line) => logEntry.parse(line)),
    ntfy,
  );
}

describe('the log of QStash', () => {
  it('shows a delayed message', () => {
    expect(read(created)).toEqual([{ id: 'msg_1', topic: 'team-alerts', oneOff: { ...waiting, status: 'pending' } }]);
  });

  it.each(['DELIVERED', 'CANCELED', 'CANCELLED', 'CANCEL_REQUESTED', 'delivered'])(
    'tells that one is gone by %s',
    (state) => {
      expect(read({ ...created, time: 2000, state }, created)).toMatchObject([{ id: 'msg_1', oneOff: undefined }]);
    },
  );

  it.each(['ACTIVE', 'IN_PROGRESS', 'SOMETHING_NEW'])('treats a message in state %s as pending', (state) => {
    expect(read({ ...created, time: 2000, state }, created)).toMatchObject([{ oneOff: { status: 'pending' } }]);
  });

  it('uses the newest entry, in any order of arrival, and the first of several with the same time', () => {
    const delivered = { ...created, state: 'DELIVERED', time: 3000 };
    expect(read(created, delivered)).toMatchObject([{ oneOff: undefined }]);
    expect(read({ ...delivered, time: 1000 }, created)).toMatchObject([{ oneOff: undefined }]);
  });

  it('shows the reason of a failed delivery, if known', () => {
    const failed = { ...created, time: 3000, state: 'FAILED' };
    const reasonOf = (error: Record<string, unknown>) =>
      read(failed, { ...created, time: 2000, state: 'ERROR', ...error }, created)[0]?.oneOff?.last_delivery?.reason;
    expect(reasonOf({ error: 'timeout' })).toBe('timeout');
    expect(reasonOf({ responseStatus: 507 })).toBe('ntfy answered 507');
    expect(reasonOf({})).toBe('QStash does not say why');
  });

  it('is read without labels, with the time of delivery, and with times as text', () => {
    const old = { ...created, time: '1000', labels: null, nextDeliveryTime: '60000' };
    expect(read(old)).toMatchObject([{ oneOff: { due: waiting.due } }]);
  });

  it('may contain invalid entries, and those of other programs', () => {
    const odd = [
      { ...created, messageId: 'msg_2', url: 'https://api.example/hook' },
      { ...created, messageId: 'msg_3', url: undefined },
      { ...created, messageId: 'msg_4', labels: ['due-99999999999999999999'] },
      { ...created, messageId: 'msg_5', labels: ['due-soon'] },
      { ...created, messageId: 'msg_6', labels: 7, body: {}, error: [] },
    ];
    const listed = read(...odd, created).flatMap(({ oneOff }) => oneOff?.notification_id ?? []);
    expect(listed).toEqual(['msg_1']);
  });
});
