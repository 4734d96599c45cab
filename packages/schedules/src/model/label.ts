// The optional name of a schedule.
import { quotedValue, refusal } from './refusal.ts';

const pattern = /^[A-Za-z0-9._-]+$/;
const longest = 64;

export function checkLabel(label: string): string {
  if (label.length > longest) {
    throw refusal(`The label has ${label.length} characters, and may have ${longest}.`, '"daily-report.v2"');
  }
  if (pattern.test(label)) return label;
  throw refusal(
    `${quotedValue(label)} cannot be a label: use letters, digits, dots, underscores and hyphens only.`,
    '"daily-report.v2"',
  );
}
