// `tidings history URI`: the kept versions of a resource.
import type { Command } from 'commander';
import { print } from '../../terminal/print.ts';
import { jsonText } from '../../terminal/print-line.ts';
import { screenOf } from '../../terminal/screen.ts';
import { hubOption } from '../option/target-options.ts';
import { positiveNumber } from '../option/positive-number.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings history schedules://support             what changed, version by version
  tidings history vcon://v1/vcons/recent --limit 3 --json`;

const whatIsKept = 'The hub keeps those of tracked resources that are listed, or that a client subscribes to.';

export function addHistoryCommand(program: Command): void {
  program
    .command('history')
    .usage('URI [options]')
    .summary('show what changed in a resource')
    .description('Shows the versions of a tracked resource that a running hub has kept, and what changed between them.')
    .argument('<uri>', 'as "tidings list" shows it')
    .addOption(
      variableOption('--limit <number>', 'how many of the newest', 'TIDINGS_LIMIT')
        .default(10)
        .argParser(positiveNumber),
    )
    .addOption(hubOption('the hub that has kept them'))
    .addOption(variableOption('--json', 'print one JSON object per line', 'TIDINGS_JSON'))
    .addHelpText('after', `${examples}\n\nThe hub gets the token in TIDINGS_TOKEN.`)
    .action(async (uri: string, { hub, json, limit }: { hub: URL; json?: boolean; limit: number }) => {
      const [{ history }, { historyLines }, { HubApiClient }] = await Promise.all([
        import('../../watch/history.ts'),
        import('../../watch/report.ts'),
        import('../../http/hub-api-client.ts'),
      ]);
      const api = new HubApiClient(hub, process.env['TIDINGS_TOKEN'] || undefined);
      const entries = await history({ api, uri, limit });
      if (json) for (const entry of entries) await print(`${jsonText(entry)}\n`);
      else if (entries.length === 0) await print(`No version of ${uri} is kept. ${whatIsKept}\n`);
      else await print(`${historyLines(entries, screenOf(process.stdout, process.env)).join('\n')}\n`);
    });
}
