// The name of a notification topic, to whose subscribers a notification goes.
import { quotedValue, refusal } from './refusal.ts';

const pattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const longest = 64;

export function isTopic(topic: string): boolean {
  return topic.length <= longest && pattern.test(topic);
}

export function checkTopic(topic: string): string {
  if (isTopic(topic)) return topic;
  const rule =
    topic.length > longest
      ? `has ${topic.length} characters, and a topic has at most ${longest}.`
      : 'is not a topic: use lower-case letters and digits, with single hyphens between them.';
  throw refusal(`${quotedValue(topic)} ${rule}`, '"team-alerts"');
}
