// Content that a redaction removes does not leave the server through any resource, tool, prompt or message.
import { Client } from '@modelcontextprotocol/client';
import { serveMemory } from '@tidings/live';
import { openVcon } from '@tidings/vcon';
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { type Workbench, base, supportCall, workbench } from './workbench.ts';

const { uuid } = supportCall;
const phone = '+491701112233';
const mail = 'planted.secret@example.com';
const code = 'PIN-4711';
const secrets = [phone, mail, code, 'planted.secret', '1701112233', '4711'];
const text = `Call ${phone} or write to ${mail}, the ${code}.`;

/** Secrets in every place that a document has. */
const document = {
  ...supportCall,
  subject: `About ${mail} and ${code}`,
  'x-note': { deep: [text, { tel: phone }] },
  parties: [{ name: `Jane ${code}`, tel: phone, mailto: mail, 'x-phone': phone }],
  dialog: [
    { type: 'text', start: '2025-10-14T10:30:00Z', parties: [0], body: text, filename: `${code}.txt` },
    { type: 'text', encoding: 'base64url', mediatype: 'text/plain', body: Buffer.from(text).toString('base64url') },
    { type: 'recording', encoding: 'base64url', mediatype: 'audio/wav', body: Buffer.from(text).toString('base64url') },
  ],
  analysis: [
    { type: 'transcript', vendor: 'x', encoding: 'json', body: JSON.stringify({ transcript: text }) },
    { type: 'summary', vendor: 'x', encoding: 'none', body: text },
    { type: code, vendor: 'x', body: { nested: text } },
  ],
  attachments: [
    { type: 'tags', encoding: 'json', body: JSON.stringify([`contact:${mail}`, `pin:${code}`]) },
    { type: 'document', filename: `${mail}.pdf`, body: text, encoding: 'none' },
  ],
};

const rule = {
  redactions: {
    'own-rule': { drop: ['tel', 'mailto'], mask: [String.raw`PIN-\d+`, String.raw`\S+@\S+`, String.raw`\+\d{6,}`] },
  },
};

async function everythingSaidTo(bench: Workbench): Promise<string[]> {
  const client = new Client({ name: 'curious', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(bench.server));
  const said: string[] = [];
  const note = async (asking: Promise<unknown>) => void said.push(JSON.stringify(await asking.catch(String)));
  const { resources } = await client.listResources();
  said.push(JSON.stringify(resources));
  const parts = ['metadata', 'parties', 'dialog', 'analysis', 'attachments', 'transcript', 'summary', 'tags'];
  const entries = ['dialog/0', 'dialog/1', 'dialog/2', 'attachments/0', 'attachments/1', 'analysis/type/summary'];
  const paths = ['recent', 'recent/ids', 'ids', uuid, ...[...parts, ...entries].map((part) => `${uuid}/${part}`)];
  for (const uri of [...paths.map((path) => `${base}/${path}`), 'vcon://recent', `vcon://uuid/${uuid}`]) {
    await note(client.readResource({ uri }));
  }
  for (const type of ['analysis', 'attachments']) {
    const ref = { type: 'ref/resource' as const, uri: `${base}/{uuid}/${type}/type/{type}` };
    await note(client.complete({ ref, argument: { name: 'type', value: '' }, context: { arguments: { uuid } } }));
  }
  const { tools } = await client.listTools();
  for (const { name } of tools)
    for (const args of argumentsFor(name)) await note(client.callTool({ name, arguments: args }));
  const { prompts } = await client.listPrompts();
  for (const { name, arguments: args = [] } of prompts) {
    for (const argument of args) {
      await note(client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument.name, value: '' } }));
    }
  }
  await client.close();
  return said;
}

/** Reads, searches for hidden content, and changes whose answers show stored content. */
function argumentsFor(tool: string): Record<string, unknown>[] {
  if (tool.startsWith('remove_all') || tool === 'delete_vcon' || tool === 'create_vcon') return [];
  if (tool === 'get_vcon') return ['full', 'summary', 'metadata'].map((response_format) => ({ uuid, response_format }));
  if (tool === 'search_vcons')
    return [{ subject: 'about' }, { party: 'jane' }, { tags: { contact: mail } }, { limit: 5 }];
  if (tool === 'search_by_tags') return [{ tags: { pin: code } }];
  if (tool.startsWith('search_')) return [{ query: 'call' }, { query: mail }, { query: code }];
  if (tool === 'update_vcon') return [{ uuid, updates: { 'x-touched': true } }];
  if (tool.startsWith('update_'))
    return [{ vcon_uuid: uuid, index: 0, [tool.slice('update_'.length)]: { 'x-touched': true } }];
  if (tool === 'manage_tag') return [{ vcon_uuid: uuid, action: 'set', key: 'new', value: 'tag' }];
  if (tool.startsWith('get_')) return [{ vcon_uuid: uuid }, {}];
  return [];
}

describeEngines('a redaction', (newPlace) => {
  it('holds for every answer of the server', async () => {
    const place = await newPlace();
    await using open = await workbench(place);
    await open.library.create(document);
    // Without a redaction the secrets are there; otherwise this test would prove nothing.
    const unredacted = (await everythingSaidTo(open)).join('\n');
    for (const secret of secrets) expect(unredacted).toContain(secret);

    await using bench = await workbench(place, { ...rule, redact: 'own-rule' });
    const said = await everythingSaidTo(bench);
    // Error messages may quote the caller's own arguments, but no document.
    const leaks = said.filter(
      (each) => secrets.some((secret) => decodedToo(each).includes(secret)) && !isOwnQuestion(each),
    );
    expect(leaks).toEqual([]);
    expect(said.length).toBeGreaterThan(40);
  });

  it('holds for the entries of lists', async () => {
    const place = await newPlace();
    await using open = await workbench(place);
    // An invalid time can contain any text.
    await open.library.create({ ...document, created_at: `ask ${mail}`, subject: 'The merger' });
    const hidden = { drop: ['subject'], mask: [String.raw`\S+@\S+`] };
    await using bench = await workbench(place, { redactions: { hidden }, redact: 'hidden' });
    const said = (await everythingSaidTo(bench)).join('\n');
    expect(said).not.toContain('merger');
    expect(said).not.toContain(mail);
    expect(await bench.json('ids')).toMatchObject({ vcons: [{ uuid, created_at: 'ask [redacted]', subject: null }] });
  });

  it('that is not defined is refused at start', async () => {
    const place = await newPlace();
    await using open = await workbench(place);
    await open.library.create(document);
    await expect(openVcon({ place, redact: 'no-such-rule' })).rejects.toThrow('no-such-rule');
  });
});

/** The text with its blobs decoded. */
function decodedToo(said: string): string {
  const blobs = [...said.matchAll(/"(?:blob|body)\\*":\\*"([\w+/=-]{16,})/g)].map(([, blob = '']) =>
    Buffer.from(blob, 'base64').toString(),
  );
  return [said, ...blobs].join('\n');
}

function isOwnQuestion(said: string): boolean {
  return said.startsWith('"') || /"query":/.test(said);
}
