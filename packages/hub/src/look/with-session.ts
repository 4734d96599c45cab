// Connects to a server, makes the requests of one command, and closes the session; Ctrl-C ends it at any point.
import { type ServerSession, connectServer } from '@tidings/track/session';
import { Failure } from '../terminal/failure.ts';
import { interruption } from '../terminal/interruption.ts';
import { connectionFailure } from './connection-failure.ts';
import { RequestFailure, requestFailure } from './request-failure.ts';
import { FileLoginStore } from '@tidings/track/internal';
import { foregroundClock, unlessAborted } from '@tidings/live/time';
import { usualLoginFolder } from '../setup/login-folder.ts';
import { reportSlowStart } from './slow-start.ts';
import { StderrLines, wroteOnStderr } from './stderr-lines.ts';
import { type ServerTarget, serverEntryOf, targetName } from './target.ts';

/** A resource that a user requests by its URI may be larger than what a tracker would mirror. */
export const maxMessageBytes = 256 * 1024 * 1024;

interface SessionOptions {
  /** Gets the lines that a started server writes on stderr, all of them until the returned promise settles. */
  log?: StderrLines;
  /** Ends the session. Default: Ctrl-C does. */
  signal?: AbortSignal;
}

export async function withSession<T>(
  target: ServerTarget,
  work: (session: ServerSession) => Promise<T>,
  { log = new StderrLines(), signal = interruption() }: SessionOptions = {},
): Promise<T> {
  const entry = serverEntryOf(target);
  const logins = new FileLoginStore(usualLoginFolder(), foregroundClock);
  const lost = (reason: string) => new Failure(`The connection to ${targetName(target)} was lost: ${reason}`);
  const answered = reportSlowStart({ target, clock: foregroundClock, stderr: () => log.of(entry.id) });
  const session = await connectServer(entry, { signal, log, lost, maxMessageBytes, logins })
    .catch((error: unknown) => {
      throw signal.aborted ? interrupted() : connectionFailure(error, target, log.of(entry.id));
    })
    .finally(answered);
  try {
    return await unlessAborted(
      signal,
      session.work(() => work(session)),
    );
  } catch (error) {
    const failure = signal.aborted ? interrupted() : requestFailure(error);
    if (!(failure instanceof RequestFailure && failure.code === 'INTERNAL')) throw failure;
    // The message says only that the reason is in the log. The log of a started server is complete after its end.
    await session.close();
    throw new Failure(`${failure.message}${wroteOnStderr(log.of(entry.id))}`);
  } finally {
    await session.close();
  }
}

function interrupted(): Failure {
  return new Failure('Interrupted.');
}
