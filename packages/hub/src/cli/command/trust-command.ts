// `tidings trust SERVER`: shows the changed definitions of a pinned server and agrees to them.
import type { Command } from 'commander';
import { hubOption } from '../option/target-options.ts';
import type { TrustSettings } from '../../trust/trust-definitions.ts';
import { variableOption } from '../option/variable-option.ts';

const examples = `
Examples:
  tidings trust notes                shows what changed, and agrees to all of it
  tidings trust notes --dry-run      only shows it
  tidings trust notes --tool search  this tool alone, shown in full

A server with "pin": true in the configuration of the hub has its changed and new tools,
prompts and instructions, and what it calls itself, held back until you agree to them. On a
terminal you are asked first. Needs a running hub; the token in TIDINGS_TOKEN, if the hub
requires one, must be unlimited.`;

export function addTrustCommand(program: Command): void {
  program
    .command('trust')
    .usage('SERVER [options]')
    .summary('agree to changed tools of a pinned server')
    .description('Shows which definitions of a pinned server are held back, and agrees to them.')
    .argument('<server>', 'its id in the configuration')
    .addOption(
      variableOption('--tool <name>', 'only this tool', 'TIDINGS_TOOL').conflicts(['prompt', 'instructions', 'self']),
    )
    .addOption(
      variableOption('--prompt <name>', 'only this prompt', 'TIDINGS_PROMPT').conflicts(['instructions', 'self']),
    )
    .addOption(variableOption('--instructions', 'only the instructions', 'TIDINGS_INSTRUCTIONS').conflicts('self'))
    .addOption(variableOption('--self', 'only what the server calls itself', 'TIDINGS_SELF'))
    .addOption(variableOption('--dry-run', 'show them and agree to nothing', 'TIDINGS_DRY_RUN'))
    .addOption(variableOption('--yes', 'do not ask', 'TIDINGS_YES'))
    .addOption(variableOption('--json', 'print what was done as JSON; does not ask', 'TIDINGS_JSON'))
    .addOption(hubOption('the hub at this address'))
    .addHelpText('after', examples)
    .action(async (server: string, settings: TrustSettings) => {
      const { trustDefinitions } = await import('../../trust/trust-definitions.ts');
      await trustDefinitions(server, settings);
    });
}
