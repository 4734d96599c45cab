// One look at a server: connect, ask, hang up; also when the user loses patience in between.
import type { Client } from '@modelcontextprotocol/client';
import { connect } from './connect.ts';
import { requestFailure } from './request-failure.ts';
import type { Target } from './target.ts';
import { Failure } from '../terminal/failure.ts';
import { aborted, interruption } from '../terminal/interruption.ts';

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
