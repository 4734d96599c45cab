// Signed and encrypted vCons with the operator's keys: verified on import and on request, with readable parts and an
// unchanged original.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importVcons, openLibrary, openVcon } from '@tidings/vcon';
import { GeneralEncrypt, GeneralSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { filesWith, freshFolder, jsonl, uuidOf } from './import-fixture.ts';
import { agentOf } from './tool-agent.ts';
import { base, supportCall } from './workbench.ts';

const { uuid } = supportCall;
let pairs: Record<'ours' | 'theirs' | 'opening', Awaited<ReturnType<typeof generateKeyPair>>>;
let jwks: { keys: JWK[] };

beforeAll(async () => {
  pairs = {
    ours: await generateKeyPair('ES256', { extractable: true }),
    theirs: await generateKeyPair('ES256', { extractable: true }),
    opening: await generateKeyPair('RSA-OAEP-256', { extractable: true }),
  };
  jwks = {
    keys: [
      { ...(await exportJWK(pairs.ours.publicKey)), kid: 'ours' },
      { ...(await exportJWK(pairs.opening.privateKey)), kid: 'opening' },
    ],
  };
});

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

async function signedBy(name: 'ours' | 'theirs', kid: string | undefined, document: object = supportCall) {
  const header = { alg: 'ES256', ...(kid !== undefined && { kid }) };
  return new GeneralSign(bytes(document)).addSignature(pairs[name].privateKey).setProtectedHeader(header).sign();
}

async function encrypted(document: object, open: object = { uuid }) {
  const jwe = new GeneralEncrypt(bytes(document))
    .setProtectedHeader({ enc: 'A256GCM' })
    .setSharedUnprotectedHeader({ ...open });
  return jwe.addRecipient(pairs.opening.publicKey).setUnprotectedHeader({ alg: 'RSA-OAEP-256' }).encrypt();
}

async function desk(
  documents: readonly object[],
  { withKeys = true, redact }: { withKeys?: boolean; redact?: string } = {},
) {
  const place = await freshFolder();
  const keysFile = join(place, 'keys.json');
  await writeFile(keysFile, JSON.stringify(jwks));
  const library = await openLibrary(place, withKeys ? { keysFile } : {});
  const file = await filesWith({ 'a.jsonl': jsonl(documents) });
  const imported = await importVcons(library, [file]);
  await library.close();
  const server = await openVcon({ place, keysFile: withKeys ? keysFile : undefined, redact });
  onTestFinished(() => server.close());
  return { ...(await agentOf(server)), imported, place, keysFile };
}

const verified = (form: string, signature: string, readable: boolean) =>
  expect.objectContaining({ form, signature, readable });

describe('a signed vCon', () => {
  it('is verified by a known key, and is read unchanged, whole or in parts', async () => {
    const document = await signedBy('ours', 'ours');
    const agent = await desk([document]);
    expect(agent.imported).toMatchObject({ counts: { created: 1, bad: 0 } });
    expect(agent.imported.warnings.filter(({ kind }) => kind.includes('signature'))).toEqual([]);
    expect(await agent.do('verify_vcon', { uuid })).toEqual(verified('signed', 'valid', true));
    expect(await agent.json(`${base}/${uuid}`)).toEqual(document);
    expect(await agent.json(`${base}/${uuid}/metadata`)).toMatchObject({ form: 'signed', signature: 'valid', uuid });
    expect(await agent.json(`${base}/${uuid}/dialog`)).toEqual({ dialog: supportCall.dialog });
    expect(await agent.json(`${base}/${uuid}/tags`)).toEqual({ tags: { department: 'support', priority: 'high' } });
    expect(await agent.json(`${base}/${uuid}/transcript`)).toMatchObject({ count: 1 });
    expect(await agent.do('get_vcon', { uuid, response_format: 'summary' })).toMatchObject({
      vcon: { subject: supportCall.subject, dialog: { count: 2 }, tags: { priority: 'high' } },
    });
    // Readable content can be found.
    expect(await agent.do('search_vcons_content', { query: 'account' })).toMatchObject({ count: 1 });
    expect(await agent.do('search_by_tags', { tags: { priority: 'high' } })).toMatchObject({ count: 1 });
    expect(await agent.call('update_vcon', { uuid, subject: 'x' })).toMatchObject({ isError: true });
  });

  it('that was changed, or signed with another key, is stored and reported as invalid', async () => {
    const good = await signedBy('ours', 'ours');
    const changed = { ...supportCall, subject: 'something else', uuid: uuidOf(1) };
    const forged = { ...good, payload: Buffer.from(JSON.stringify(changed)).toString('base64url') };
    const foreign = await signedBy('theirs', 'theirs', { ...supportCall, uuid: uuidOf(2) });
    const impostor = await signedBy('theirs', 'ours', { ...supportCall, uuid: uuidOf(3) });
    const nameless = await signedBy('ours', undefined, { ...supportCall, uuid: uuidOf(4) });
    const agent = await desk([forged, foreign, impostor, nameless]);
    expect(agent.imported.counts).toMatchObject({ created: 4, bad: 0 });
    expect(agent.imported.warnings.map(({ kind, documents }) => [kind, documents])).toEqual(
      expect.arrayContaining([
        [expect.stringContaining('signatures: invalid'), 2],
        [expect.stringContaining('not known here'), 1],
      ]),
    );
    const states = { 1: 'invalid', 2: 'unknown key', 3: 'invalid', 4: 'valid' };
    for (const [n, signature] of Object.entries(states)) {
      expect([n, await agent.do('verify_vcon', { uuid: uuidOf(Number(n)) })]).toEqual([
        n,
        verified('signed', signature, true),
      ]);
      expect(await agent.json(`${base}/${uuidOf(Number(n))}/metadata`)).toMatchObject({ signature });
    }
    expect(await agent.json(`${base}/${uuidOf(1)}`)).toEqual(forged);
  });

  it('with thousands of signatures or recipients takes no longer than one with a few', async () => {
    const many = 3000;
    const good = await signedBy('ours', 'ours');
    const [signature] = (await signedBy('theirs', 'ours')).signatures;
    const signed = { ...good, signatures: [...Array.from({ length: many }, () => signature), ...good.signatures] };
    const open = { uuid: uuidOf(1) };
    const sealed = await encrypted({ ...supportCall, ...open }, open);
    const [recipient] = sealed.recipients;
    const stranger = { ...recipient, encrypted_key: 'A'.repeat(342) };
    const closed = { ...sealed, recipients: [...Array.from({ length: many }, () => stranger), ...sealed.recipients] };
    const agent = await desk([signed, closed]);
    // The valid signature is beyond the number that is checked.
    expect(await agent.do('verify_vcon', { uuid })).toEqual(verified('signed', 'invalid', true));
    expect(await agent.do('verify_vcon', open)).toEqual(verified('encrypted', 'none', false));
  });

  it('may repeat its protected header in the unprotected one, and nothing else', async () => {
    const beside = async (header: object, n: number) => {
      const signed = await signedBy('ours', 'ours', { ...supportCall, uuid: uuidOf(n) });
      return { ...signed, signatures: signed.signatures.map((signature) => Object.assign({}, signature, { header })) };
    };
    const agent = await desk([await beside({ alg: 'ES256', kid: 'ours' }, 1), await beside({ kid: 'theirs' }, 2)]);
    for (const [n, signature] of [
      [1, 'valid'],
      [2, 'invalid'],
    ] as const) {
      expect(await agent.do('verify_vcon', { uuid: uuidOf(n) })).toEqual(verified('signed', signature, true));
    }
  });

  it('does not accept a public key as a shared secret', async () => {
    const [key] = jwks.keys;
    const secret = new TextEncoder().encode(JSON.stringify(key));
    const confused = await new GeneralSign(bytes(supportCall))
      .addSignature(secret)
      .setProtectedHeader({ alg: 'HS256', kid: 'ours' })
      .sign();
    const agent = await desk([confused]);
    expect(await agent.do('verify_vcon', { uuid })).toEqual(verified('signed', 'unknown key', true));
  });

  it('is redacted when read in parts', async () => {
    const agent = await desk([await signedBy('ours', 'ours')], { redact: 'contact-details' });
    const { text } = await agent.call('get_vcon', { uuid, response_format: 'summary' });
    expect(text).toContain('John Doe');
    const parts = JSON.stringify(await agent.json(`${base}/${uuid}/parties`));
    expect(parts).toContain('John Doe');
    expect(parts + text).not.toMatch(/555-1234|smith@/);
    expect(await agent.call('get_vcon', { uuid })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await agent.do('search_vcons', { party_tel: '5551234' })).toMatchObject({ count: 0 });
  });
});

describe('an encrypted vCon', () => {
  it('is decrypted with a key of the operator, and stored unchanged', async () => {
    const document = await encrypted(supportCall);
    const agent = await desk([document]);
    expect(await agent.json(`${base}/${uuid}`)).toEqual(document);
    expect(await agent.json(`${base}/${uuid}/parties`)).toEqual({ parties: supportCall.parties });
    expect(await agent.json(`${base}/${uuid}/metadata`)).toMatchObject({
      form: 'encrypted',
      subject: supportCall.subject,
    });
    expect(await agent.do('verify_vcon', { uuid })).toEqual(verified('encrypted', 'none', true));
    // Decrypted content is not indexed.
    expect(await agent.do('search_vcons_content', { query: 'account' })).toMatchObject({ count: 0 });
  });

  it('has the signature status of its decrypted content', async () => {
    const agent = await desk([await encrypted(await signedBy('ours', 'ours'))]);
    expect(await agent.do('verify_vcon', { uuid })).toEqual(verified('encrypted', 'valid', true));
    expect(await agent.json(`${base}/${uuid}/dialog`)).toEqual({ dialog: supportCall.dialog });
  });

  it('stays encrypted without the key, and for callers with a redaction', async () => {
    const document = await encrypted(supportCall);
    const closed = await desk([document], { withKeys: false });
    expect(await closed.do('verify_vcon', { uuid })).toEqual(verified('encrypted', 'none', false));
    await expect(closed.json(`${base}/${uuid}/parties`)).rejects.toThrow('encrypted');
    expect(await closed.json(`${base}/${uuid}/metadata`)).not.toHaveProperty('subject');
    const redacted = await desk([document], { redact: 'contact-details' });
    expect(JSON.stringify(await redacted.json(`${base}/${uuid}/parties`))).not.toMatch(/555-1234|smith@/);
  });
});

it('the metadata says nothing about a signature but what was verified', async () => {
  const claims = { ...supportCall, form: 'signed', signature: 'valid' };
  const documents = [
    claims,
    await encrypted({ ...claims, uuid: uuidOf(1) }, { uuid: uuidOf(1) }),
    await encrypted(supportCall, { uuid: uuidOf(2), signature: 'valid' }),
  ];
  const metadata = async (agent: Awaited<ReturnType<typeof desk>>, of: string) =>
    Object.entries(Object(await agent.json(`${base}/${of}/metadata`))).filter(([name]) =>
      /^(?:form|signature)$/.test(name),
    );
  const [open, closed] = [await desk(documents), await desk(documents, { withKeys: false })];
  for (const agent of [open, closed]) {
    expect(await metadata(agent, uuid)).toEqual([]);
    expect(await metadata(agent, uuidOf(1))).toEqual([['form', 'encrypted']]);
    expect(await metadata(agent, uuidOf(2))).toEqual([['form', 'encrypted']]);
  }
  expect(await open.json(`${base}/${uuid}`)).toEqual(claims);
});

it('a file without keys is refused at start, without quoting its content', async () => {
  const folder = await filesWith({ 'keys.json': '{"keys": "secret-word"}' });
  const env = { TIDINGS_VCON_KEYS: join(folder, 'keys.json'), TIDINGS_DATA: await freshFolder() };
  const { code, stderr } = await tidingsCommand(['serve', 'vcon', '--port', '0'], { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('JSON Web Key Set')]);
  expect(stderr).not.toContain('secret-word');
});
