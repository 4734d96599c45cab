// Runs every check and prints the findings.
import { checkConfig, runsObs } from './check-config.ts';
import { checkData } from './check-data.ts';
import { checkMachine } from './check-machine.ts';
import { checkObs } from './check-obs.ts';
import { checkPort } from './check-port.ts';
import { printLine, printJson } from '../terminal/print-line.ts';
import type { Finding } from './finding.ts';

export interface DoctorSettings {
  port: number;
  host: string;
  data: string;
  config?: string;
  trust?: boolean;
  json?: boolean;
}

const marks = {
  fine: { plain: 'ok', fancy: '\u001B[32m✓\u001B[39m ' },
  note: { plain: '! ', fancy: '\u001B[33m!\u001B[39m ' },
  wrong: { plain: 'x ', fancy: '\u001B[31m✗\u001B[39m ' },
};

/** Resolves with the number of findings that are wrong. */
export async function doctor(settings: DoctorSettings): Promise<number> {
  const found = await Promise.all([
    checkMachine(),
    checkData(settings.data),
    checkPort(settings.port, settings.host),
    process.env['TIDINGS_OBS_URL'] || runsObs(settings) ? checkObs(process.env) : [],
    checkConfig(settings),
  ]);
  const findings = found.flat();
  if (settings.json) printJson({ findings });
  else show(findings);
  return findings.filter(({ verdict }) => verdict === 'wrong').length;
}

function show(findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const style = process.stdout.isTTY && !process.env['NO_COLOR'] ? 'fancy' : 'plain';
  for (const { verdict, subject, detail, advice } of findings) {
    // Only the mark is styled; the rest is text from servers and files.
    process.stdout.write(`${marks[verdict][style]} `);
    printLine(`${subject.padEnd(width)}  ${detail}`);
    if (advice !== undefined) printLine(`${' '.repeat(width + 5)}${advice}`);
  }
}
