// Signed and encrypted vCons: stored unchanged, described by their unencrypted fields.
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { type Workbench, failure, supportCall, workbench } from './workbench.ts';

const { uuid, created_at, subject } = supportCall;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = {
  payload: encoded(supportCall),
  signatures: [{ header: { alg: 'RS256' }, protected: encoded({ alg: 'RS256' }), signature: 'c2lnbmF0dXJl' }],
};
const encrypted = {
  protected: encoded({ alg: 'RSA-OAEP', enc: 'A256CBC-HS512' }),
  unprotected: { uuid: '0196010b-baaf-8c8c-9dd8-dd37220d739c' },
  iv: 'aXY',
  ciphertext: 'Y2lwaGVydGV4dA',
  tag: 'dGFn',
  recipients: [{ encrypted_key: 'a2V5' }],
};
const parts = ['parties', 'dialog', 'analysis', 'attachments', 'transcript', 'summary', 'tags', 'dialog/0'];

async function staysClosed(bench: Workbench, key: string, form: string): Promise<void> {
  for (const part of parts) {
    const { code, message } = await failure(bench.json(`${key}/${part}`));
    expect(code, part).toBe('RESOURCE_NOT_FOUND');
    expect(message, part).toContain(form);
  }
}

describeEngines('a sealed vCon', (newPlace) => {
  it('that is signed is served unchanged, with the fields of its payload', async () => {
    await using bench = await workbench(await newPlace());
    await bench.library.putAll([bench.library.accept(signed)], { replace: false });
    expect(await bench.json(uuid)).toEqual(signed);
    expect(await bench.json('recent')).toHaveProperty('vcons.0', signed);
    expect(await bench.json(`${uuid}/metadata`)).toMatchObject({ form: 'signed', uuid, subject, must_support: [] });
    expect(await bench.json('recent/ids')).toHaveProperty('vcons', [{ uuid, created_at, subject }]);
    expect(await bench.json(`${uuid}/metadata`)).toMatchObject({ signature: 'unknown key' });
    expect(await bench.json(`${uuid}/dialog`)).toEqual({ dialog: supportCall.dialog });
  });

  it('that is encrypted is served unchanged, with its unprotected header', async () => {
    await using bench = await workbench(await newPlace());
    const accepted = bench.library.accept(encrypted);
    await bench.library.putAll([accepted], { replace: false });
    expect(await bench.json(accepted.uuid)).toEqual(encrypted);
    expect(await bench.json(`${accepted.uuid}/metadata`)).toMatchObject({ form: 'encrypted', uuid: accepted.uuid });
    await staysClosed(bench, accepted.uuid, 'encrypted');
  });

  it('can be deleted, and not changed', async () => {
    await using bench = await workbench(await newPlace());
    await bench.library.putAll([bench.library.accept(signed)], { replace: false });
    const edit = bench.library.change(uuid, (document) => ({ document, result: undefined }));
    await expect(edit).rejects.toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining('signed') });
    await bench.library.remove(uuid);
    expect(await bench.json('recent')).toMatchObject({ count: 0 });
  });

  it('shows only its metadata under a redaction', async () => {
    await using bench = await workbench(await newPlace(), { redact: 'contact-details' });
    await bench.library.putAll([bench.library.accept(signed)], { replace: false });
    expect(await failure(bench.json(uuid))).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await bench.json('recent')).toMatchObject({ vcons: [{ form: 'signed', uuid, subject }] });
  });
});

describeEngines('a document', (newPlace) => {
  it('is refused if it needs an unsupported extension, and accepted with supported ones', async () => {
    await using bench = await workbench(await newPlace());
    for (const name of ['critical', 'must_support']) {
      const create = bench.library.create({ [name]: ['teleport'] });
      await expect(create).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('teleport'),
      });
    }
    expect(await bench.json('recent')).toMatchObject({ count: 0 });
  });

  it('without a time gets the time of its import, and imported again counts as unchanged', async () => {
    await using bench = await workbench(await newPlace());
    const document = { parties: [{ name: 'Alice' }] };
    const first = bench.library.accept(document);
    expect(first.warnings.join()).toContain('created_at');
    expect(await bench.library.putAll([first], { replace: false })).toEqual(['created']);
    const again = { ...bench.library.accept(document) };
    expect(again.uuid).toBe(first.uuid);
    expect(await bench.library.putAll([again], { replace: false })).toEqual(['unchanged']);
  });

  it('counts as unchanged with its fields in another order, even with a digest stored by an earlier version', async () => {
    await using bench = await workbench(await newPlace());
    const uuid = '00000000-0000-4000-8000-000000000001';
    const document = { uuid, created_at: '2025-01-01T00:00:00Z', subject: 'One', parties: [{ name: 'A', tel: '1' }] };
    const reordered = { parties: [{ tel: '1', name: 'A' }], subject: 'One', created_at: document.created_at, uuid };
    const put = (each: object) => bench.library.putAll([bench.library.accept(each)], { replace: false });
    expect(await put(document)).toEqual(['created']);
    expect(await put(document)).toEqual(['unchanged']);
    expect(await put(reordered)).toEqual(['unchanged']);
    expect(await put({ ...document, subject: 'Two' })).toEqual(['conflict']);
    await bench.library.store.write(({ db }) =>
      db.updateTable('vcon').set({ digest: 'f9akpCwiG3gLzfEBMjHQLBYKPKADLcxQJvhrnrWWs00' }).execute(),
    );
    expect(await put(reordered)).toEqual(['unchanged']);
    expect(await put({ ...document, subject: 'Two' })).toEqual(['conflict']);
  });

  it('is a blob if its body is bytes', async () => {
    await using bench = await workbench(await newPlace());
    const bytes = Buffer.from([0, 255, 128, 7]);
    const dialog = [
      { type: 'recording', mediatype: 'audio/wav', encoding: 'base64url', body: bytes.toString('base64url') },
    ];
    const { uuid } = await bench.library.create({
      dialog,
      attachments: [{ ...dialog[0], encoding: 'none', body: 'text' }],
    });
    const { contents } = await bench.server.definition.directory.read(
      { era: 'modern', transport: 'memory' },
      `vcon://v1/vcons/${uuid}/dialog/0`,
      { client: undefined, signal: () => new AbortController().signal },
    );
    expect(contents).toMatchObject([{ mimeType: 'audio/wav', blob: bytes.toString('base64') }]);
    expect(await bench.json(`${uuid}/attachments/0`)).toMatchObject({ body: 'text' });
  });
});
