// `tidings import`, `tidings export` and `tidings serve vcon` as commands.
import { execFile } from 'node:child_process';
import { chmod, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectHttp, eventually, told } from '@tidings/live/testing';
import { openLibrary } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { serveOverHttp, tidingsCommand } from '../cli/hosted-tidings.ts';
import { TidingsProcess, bin, tidings } from '../cli/tidings-process.ts';
import { filesWith, freshFolder, freshLibrary, jsonl, numbered, range } from './import-fixture.ts';
import { supportCall } from './workbench.ts';

/** A data folder with these vCons. */
async function dataWith(documents: readonly object[]): Promise<string> {
  const data = await freshFolder();
  const library = await openLibrary(data);
  await library.putAll(
    documents.map((document) => library.accept(document)),
    { replace: false },
  );
  await library.close();
  return data;
}

const parsed = (lines: string): object[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('tidings import', () => {
  it('prints the result', async () => {
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 3)), 'b.json': JSON.stringify(numbered(9)) });
    const data = await freshFolder();
    const { code, stdout, stderr } = await tidings(['import', folder, '--data', data]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^4 vCons in [\d.]+ s: 4 created\n$/);
    const again = await tidingsCommand(['import', folder, '--data', data]);
    expect(again.stdout).toMatch(/: 0 created, 4 already there\n$/);
  });

  it('names invalid documents by file and line, imports the others, and exits with 1', async () => {
    const folder = await filesWith({ 'a.jsonl': `${jsonl(range(0, 2))}{"uuid":\n${jsonl(range(2, 3))}` });
    const data = await freshFolder();
    const { code, stdout, stderr } = await tidingsCommand(['import', folder, '--data', data]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${join(folder, 'a.jsonl')}:3: not JSON: it ends too early (cut off?) in column 9\n` +
        'error: 1 vCon was not imported.\n',
    );
    expect(stdout).toMatch(/: 3 created, 1 bad\n$/);
  });

  it('names existing vCons with other content, and how to replace them', async () => {
    const data = await dataWith([numbered(1)]);
    const folder = await filesWith({ 'b.json': JSON.stringify(numbered(1, { subject: 'Other' })) });
    const { code, stdout, stderr } = await tidingsCommand(['import', folder, '--data', data]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, 'b.json')}:1: there is another vCon with the UUID`);
    expect(stdout).toContain('--replace replaces them');
    const replaced = await tidingsCommand(['import', folder, '--data', data, '--replace']);
    expect(replaced).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 0 created, 1 replaced\n$/) });
  });

  it('prints JSON for programs', async () => {
    const folder = await filesWith({ 'a.jsonl': `${jsonl(range(0, 2))}oops\n` });
    const { code, stdout } = await tidingsCommand(['import', folder, '--data', await freshFolder(), '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      outcome: 'complete',
      counts: { created: 2, unchanged: 0, replaced: 0, conflicts: 0, bad: 1, warnings: 0 },
      problems: [{ source: join(folder, 'a.jsonl'), line: 3, reason: 'not JSON: unexpected o in column 1' }],
      warnings: [],
      resumed: [],
      seconds: expect.any(Number),
    });
  });

  it('sums up warnings, and with --strict refuses such documents', async () => {
    const folder = await filesWith({
      'a.jsonl': jsonl([0, 1].map((n) => numbered(n, { must_support: [] }))),
    });
    const lenient = await tidingsCommand(['import', folder, '--data', await freshFolder()]);
    expect(lenient.code).toBe(0);
    expect(lenient.stderr).toContain('warning: must_support: old name of critical (2 vCons, first in ');
    const strict = await tidingsCommand(['import', folder, '--data', await freshFolder()], {
      env: { TIDINGS_STRICT: '1' },
    });
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(/: 0 created, 2 bad\n$/);
  });

  it('reads lines from stdin, and from a named pipe', async () => {
    const data = await freshFolder();
    const importing = new TidingsProcess(['import', '-', '--data', data]);
    importing.child.stdin.end(`${jsonl(range(0, 3))}oops`);
    const { code, stdout, stderr } = await importing.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^4 vCons in [\d.]+ s: 3 created, 1 bad\n$/);
    expect(stderr).toContain('stdin:4: not JSON');
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 5)) });
    const command = `"${process.execPath}" "${bin}" import <(cat "${folder}/a.jsonl") --data "${data}"`;
    const piped = await promisify(execFile)('bash', ['-c', command]);
    expect(piped.stdout).toMatch(/: 2 created, 3 already there\n$/);
  });

  it('after Ctrl-C prints how to continue, and continues', async () => {
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 4000)) });
    const data = await freshFolder();
    const library = await freshLibrary(data);
    const importing = new TidingsProcess(['import', folder, '--data', data]);
    await eventually('some of them', async () => (await library.reader(undefined, 1e6).page(1)).entries.length > 0);
    const { code, stdout, stderr } = await importing.end('SIGINT');
    expect(code).toBe(1);
    expect(stderr).toBe('error: Stopped. What was imported is kept; run the same command again to continue.\n');
    const [, created = ''] = /: (\d+) created\n$/.exec(stdout) ?? [];
    const again = await tidingsCommand(['import', folder, '--data', data]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`continued after line ${created}, where an earlier import stopped`);
    expect(again.stdout).toContain(`: ${4000 - Number(created)} created\n`);
  });

  it('on Ctrl-C ends without waiting for stdin', async () => {
    const data = await freshFolder();
    const library = await freshLibrary(data);
    const importing = new TidingsProcess(['import', '-', '--data', data]);
    importing.child.stdin.write(jsonl(range(0, 350)));
    await eventually('a batch', async () => (await library.reader(undefined, 1e6).page(1)).entries.length > 0);
    expect(await importing.end('SIGINT')).toMatchObject({ code: 1, stdout: expect.stringMatching(/: \d+ created\n$/) });
  });

  it.each([
    ['import', 'Give files or folders, --from-supabase or --from-mcp.'],
    ['import /no/such/file', 'There is no such file or folder.'],
    ['import . --stricter', 'unknown option'],
    ['export --redact no-such', 'There is no redaction "no-such". There are: contact-details.'],
    ['export --out /', '/ is not a file.'],
    ['export extra', 'too many arguments'],
    ['serve vcon --redact no-such', 'There is no redaction "no-such". There are: contact-details.'],
  ])('tidings %s is wrong usage', async (command, says) => {
    const { code, stdout, stderr } = await tidingsCommand(command.split(' '), {
      env: { TIDINGS_DATA: await freshFolder() },
    });
    expect(stderr).toContain(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each(['import', 'export', 'serve vcon'])(
    'every flag of tidings %s has its environment variable',
    async (command) => {
      const { code, stdout } = await tidingsCommand([...command.split(' '), '--help']);
      expect(code).toBe(0);
      const flags = stdout.match(/^ {2}(?!-h,)--\w+/gm) ?? [];
      expect(flags.length).toBeGreaterThan(3);
      expect(stdout.match(/env:\s+TIDINGS_\w+\)/g)).toHaveLength(flags.length);
    },
  );

  it('an unusable data folder is reported', async () => {
    const folder = await filesWith({ 'a.json': JSON.stringify(numbered(1)), file: '' });
    const { code, stderr } = await tidingsCommand([
      'import',
      join(folder, 'a.json'),
      '--data',
      join(folder, 'file', 'x'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .* cannot be used as a data folder: .*\n$/);
  });
});

describe('tidings export', () => {
  it('writes JSONL and nothing else to stdout', async () => {
    const data = await dataWith(range(0, 3));
    const { code, stdout, stderr } = await tidings(['export'], { env: { TIDINGS_DATA: data } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Exported 3 vCons.\n' });
    expect(parsed(stdout)).toEqual(range(0, 3).toReversed());
    const json = await tidingsCommand(['export', '--data', data, '--json']);
    expect(JSON.parse(json.stderr)).toEqual({ documents: 3, withheld: 0 });
  });

  it('writes a file in one step, readable by its owner only', async () => {
    const data = await dataWith(range(0, 3));
    const folder = await freshFolder();
    const out = join(folder, 'calls.jsonl');
    const result = await tidingsCommand(['export', '--data', data, '--out', out, '--json']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({ documents: 3, withheld: 0 });
    expect(parsed(await readFile(out, 'utf8'))).toEqual(range(0, 3).toReversed());
    expect(await readdir(folder)).toEqual(['calls.jsonl']);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  it('keeps the mode of an existing file, and writes through links', async () => {
    const data = await dataWith(range(0, 1));
    const folder = await filesWith({ 'real.jsonl': 'old' });
    await chmod(join(folder, 'real.jsonl'), 0o640);
    await symlink('real.jsonl', join(folder, 'link.jsonl'));
    expect((await tidingsCommand(['export', '--data', data, '--out', join(folder, 'link.jsonl')])).code).toBe(0);
    expect(parsed(await readFile(join(folder, 'real.jsonl'), 'utf8'))).toEqual(range(0, 1));
    expect((await stat(join(folder, 'real.jsonl'))).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['link.jsonl', 'real.jsonl']);
  });

  it('keeps the existing file when stopped', async () => {
    const data = await dataWith(range(0, 6000));
    const folder = await freshFolder();
    const out = join(folder, 'calls.jsonl');
    await writeFile(out, 'old');
    const exporting = new TidingsProcess(['export', '--data', data, '--out', out]);
    await eventually('it has begun', async () => (await readdir(folder)).length > 1);
    const { code, stdout, stderr } = await exporting.end('SIGINT');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Stopped before everything was exported.\n',
    });
    expect(await readdir(folder)).toEqual(['calls.jsonl']);
    expect(await readFile(out, 'utf8')).toBe('old');
  });

  it('ends without an error when its output is closed', async () => {
    const data = await dataWith(range(0, 3000));
    const exporting = new TidingsProcess(['export', '--data', data]);
    await exporting.line();
    exporting.child.stdout.destroy();
    expect(await exporting.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('waits for a slow reader, which gets everything', async () => {
    const data = await dataWith(range(0, 3000));
    const exporting = new TidingsProcess(['export', '--data', data]);
    exporting.child.stdout.pause();
    // The exporting process waits because the pipe is full.
    await eventually('a full pipe', () => exporting.child.stdout.readableLength > 0);
    exporting.child.stdout.resume();
    const { stdout } = await exporting.ended;
    expect(parsed(stdout)).toEqual(range(0, 3000).toReversed());
  });

  it('applies the named redaction', async () => {
    const data = await dataWith([supportCall]);
    const { stdout } = await tidingsCommand(['export', '--data', data], { env: { TIDINGS_REDACT: 'contact-details' } });
    expect(stdout).toContain('John Doe');
    expect(stdout).not.toContain('555-1234');
  });
});

describe('tidings serve vcon', () => {
  it('notifies its subscribers of imports by another process', async () => {
    const data = await dataWith([supportCall]);
    const { url } = await serveOverHttp('vcon', '--data', data, '--redact', 'contact-details');
    const client = await connectHttp(url, 'modern');
    const recent = 'vcon://v1/vcons/recent/ids';
    await client.subscribe(recent);
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 500)) });
    expect((await tidingsCommand(['import', folder, '--data', data])).code).toBe(0);
    await told(client, recent);
    await eventually(
      'all of them',
      async () => JSON.parse(await client.read('vcon://v1/vcons/ids/1000')).count === 501,
    );
    expect(await client.read(`vcon://v1/vcons/${supportCall.uuid}/parties`)).not.toContain('555-1234');
    await client.close();
  });
});
