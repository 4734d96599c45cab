// Passes a notification that came due on this node to the node that holds the agent session.
import { LiveError } from '@tidings/live';
import { errorAnswer } from '@tidings/client/contract';
import type { OtherNode } from '@tidings/track/internal';
import { type DueNotification, dueNotification } from './message/notification-messages.ts';

/** The route of a node for notifications; the id of the session follows. */
export const notificationsPath = '/node/notifications/';

/** Resolves when the notification has arrived; the other node answers only then. */
export async function notifyAtNode(node: OtherNode, session: string, due: DueNotification): Promise<void> {
  const answer = await fetch(new URL(`${notificationsPath}${encodeURIComponent(session)}`, node.url), {
    method: 'POST',
    headers: { ...node.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(dueNotification.parse(due)),
  }).catch((error: unknown) => {
    const message = `The node ${node.id}, which holds the session "${session}", does not answer.`;
    throw Object.assign(new LiveError('UNAVAILABLE', message), { cause: error });
  });
  if (answer.ok) return;
  const { data } = errorAnswer.safeParse(await answer.json().catch(() => undefined));
  // The agent itself refused it: another attempt would not help.
  const code = data?.error.code === 'INVALID_PARAMS' ? 'INVALID_PARAMS' : 'UNAVAILABLE';
  throw new LiveError(code, data?.error.message ?? `The node ${node.id} answered with HTTP ${answer.status}.`);
}
