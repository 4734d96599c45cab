// One look at a server: connect, ask, hang up; also when the user loses patience in between.
import type { Client } from '@modelcontextprotocol/client';
import { connect } from '../peer/connect.ts';
import { requestFailure } from '../peer/request-failure.ts';
import type { Target } from '../peer/target.ts';
import { Failure } from './failure.ts';
import { aborted, interruption } from './interruption.ts';

export async function look<T>(target: Target, ask: (client: Client) => Promise<T>): Promise<T> {
  const signal = interruption();
  const client = await connect(target, signal).catch((error: unknown) => {
    throw signal.aborted ? interrupted() : error;
  });
  try {
    const never = aborted(signal).then(() => Promise.reject(interrupted()));
    return await Promise.race([ask(client), never]);
  } catch (error) {
    throw requestFailure(error);
  } finally {
    await client.close();
  }
}

function interrupted(): Failure {
  return new Failure('Interrupted.');
}
