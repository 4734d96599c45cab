// `tidings audit`: shows the audit log.
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '@tidings/live/time';
import type { AuditSettings } from '../../audit/show-audit.ts';
import { dataOption } from '../option/data-option.ts';
import { positiveNumber } from '../option/positive-number.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings audit                                  the last 100 records
  tidings audit --since 2h --who READER_TOKEN    what one token was used for
  tidings audit --uri 'vcon://**' --json         one JSON object per line, for programs`;

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .summary('show the audit log: who did what')
    .description('Shows the audit log of the hub on this data folder or database, whether or not it runs.')
    .addOption(dataOption())
    .addOption(
      variableOption('--since <time>', 'records since then: 30m, 2h, 7d, or a date', 'TIDINGS_SINCE').argParser(moment),
    )
    .addOption(
      variableOption(
        '--who <name>',
        'records of one token, one owner of access tokens (ISSUER#SUB), everybody, or cli:USER',
        'TIDINGS_WHO',
      ),
    )
    .addOption(
      variableOption('--uri <uri>', 'records about one resource, or those that match a pattern', 'TIDINGS_URI'),
    )
    .addOption(
      variableOption('--limit <number>', 'how many of the newest records', 'TIDINGS_LIMIT')
        .default(100)
        .argParser(positiveNumber),
    )
    .addOption(variableOption('--json', 'print one JSON object per line', 'TIDINGS_JSON'))
    .addHelpText('after', examples)
    .action(async (settings: AuditSettings) => {
      const { showAudit } = await import('../../audit/show-audit.ts');
      await showAudit(settings);
    });
}

function moment(text: string): Date {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const date =
    amount === undefined ? new Date(text) : new Date(systemClock.date() - Number(amount) * (units[unit] ?? 0));
  if (Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('A time is 30m, 2h, 7d, or a date such as 2026-11-16T08:00Z.');
  return date;
}
