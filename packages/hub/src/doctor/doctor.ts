// Runs every check, each on its own, and shows what came out.
import { checkConfig } from './check-config.ts';
import { checkData } from './check-data.ts';
import { checkMachine } from './check-machine.ts';
import { checkObs } from './check-obs.ts';
import { checkPort } from './check-port.ts';
import { say, sayJson } from '../terminal/say.ts';
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

/** How many things are wrong. */
export async function doctor(settings: DoctorSettings): Promise<number> {
  const found = await Promise.all([
    checkMachine(),
    checkData(settings.data),
    checkPort(settings.port, settings.host),
    checkObs(process.env),
    checkConfig(settings),
  ]);
  const findings = found.flat();
  if (settings.json) sayJson({ findings });
  else show(findings);
  return findings.filter(({ verdict }) => verdict === 'wrong').length;
}

function show(findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const look = process.stdout.isTTY && !process.env['NO_COLOR'] ? 'fancy' : 'plain';
  for (const { verdict, subject, detail, advice } of findings) {
    // The mark is ours, the rest is from servers and files.
    process.stdout.write(`${marks[verdict][look]} `);
    say(`${subject.padEnd(width)}  ${detail}`);
    if (advice !== undefined) say(`${' '.repeat(width + 5)}${advice}`);
  }
}
