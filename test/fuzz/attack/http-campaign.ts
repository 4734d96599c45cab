// Sends HTTP cases in batches. After each batch the server must be at rest.
import { Dice } from '../generate/dice.ts';
import { type HttpCase, bytesOf, httpCase } from '../generate/http-case.ts';
import { race } from '../generate/race.ts';
import { expectRest } from './at-rest.ts';
import { runBatch } from './batch.ts';
import type { Campaign } from './campaign.ts';
import { judgeHttp } from './judge-http.ts';
import { type Answer, HttpSender } from './send-http.ts';
import { Sessions } from './sessions.ts';
import type { Target } from './target.ts';
import { useProperly } from './valid-client.ts';

const batchSize = 500;
const concurrency = 16;
/** Every twentieth case is a race of several requests. */
const raceEvery = 20;

/** Throws if the server dies, hangs or does not come to rest. */
export async function attackHttp(target: Target, url: string, campaign: Campaign): Promise<void> {
  const { seed } = campaign;
  let orphans = 0;
  for (const numbers of campaign.batches(batchSize)) {
    const sender = new HttpSender(url);
    const sessions = await Sessions.open(sender);

    const attack = async (each: HttpCase, fresh?: string): Promise<boolean> => {
      if (mayLeaveSession(each)) orphans += 1;
      const filled = await sessions.fill(each, fresh);
      const answer = await sender.send(filled);
      sessions.note(answer);
      for (const wrong of judgeHttp(filled, answer)) campaign.note(each.number, describe(filled, answer, wrong));
      return answer.ending !== 'closed';
    };
    await runBatch(target, campaign, numbers, concurrency, async (number) => {
      if (new Dice(seed, -number).below(raceEvery) > 0) return attack(httpCase(seed, number));
      const fresh = await sessions.openOne();
      const answered = await Promise.all(race(seed, number).map((each) => attack(each, fresh)));
      return !answered.includes(false);
    });

    await sessions.end();
    await useProperly(url, 'modern');
    await useProperly(url, 'legacy');
    sender.close();
    await expectRest(target, `After cases ${numbers[0]} to ${numbers.at(-1)} (${campaign.repeat})`, orphans);
  }
}

/** A session whose client leaves before it gets the id is ended by the idle reaper. */
function mayLeaveSession({ manner, raw, body }: HttpCase): boolean {
  return (manner.startsWith('leaves') || raw !== undefined) && body.includes('initialize');
}

function describe(each: HttpCase, answer: Answer, wrong: string): string {
  const asked = bytesOf(each).toString().slice(0, 2000);
  const answered = answer.body.toString().slice(0, 1000);
  return `The answer to case ${each.number} (${each.title}) ${wrong}.\n--- asked\n${asked}\n--- answered ${answer.statuses.join()}\n${answered}`;
}
