// A library of many vCons, and the plain table with the same. The first ones are added through the library; the others
// are copies of their rows, each with its own UUID, time and subject, because indexing a hundred thousand would take
// minutes, and the index of words is not read here.
import { join } from 'node:path';
import { openLibrary } from '@tidings/vcon';
import { createBare } from './bare-table.js';
import { createdOf, documentOf, subjectOf, uuidOf } from './document.js';
import { openWithoutJournal } from './driver.js';

const added = 1000;

export async function buildLibrary(folder, size) {
  const library = await openLibrary(folder);
  const accepted = Array.from({ length: added }, (_, number) => library.accept(documentOf(number)));
  await library.putAll(accepted, { replace: false });
  await library.close();
  copyRows(join(folder, 'vcon.db'), size);
  copyToBare(join(folder, 'vcon.db'), bareFile(folder));
}

/** The file of the plain table beside a library. */
export function bareFile(folder) {
  return join(folder, 'bare.db');
}

function copyRows(file, size) {
  const database = openWithoutJournal(file);
  database.exec('begin');
  const copy = database.prepare(`
    insert into vcon (uuid, created, created_at, subject, form, revision, digest, size, subject_key, party_key,
        head, parties, dialog, analysis, attachments)
      select @uuid, @micros, json_quote(@createdAt), json_quote(@subject), form, revision, digest, size,
        lower(@subject), party_key, json_set(head, '$.uuid', @uuid, '$.created_at', @createdAt, '$.subject', @subject),
        parties, dialog, analysis, attachments from vcon where uuid = @original`);
  for (let number = added; number < size; number += 1) {
    const createdAt = createdOf(number);
    const micros = Date.parse(createdAt) * 1000;
    const [uuid, subject, original] = [uuidOf(number), subjectOf(number), uuidOf(number % added)];
    copy.run({ uuid, micros, createdAt, subject, original });
  }
  database.exec('commit');
  database.close();
}

function copyToBare(from, to) {
  const database = openWithoutJournal(to);
  createBare(database);
  database.prepare('attach ? as library').run(from);
  database.exec(`
    insert into bare select uuid, created, created_at ->> '$', subject ->> '$', head,
      parties || dialog || analysis || attachments from library.vcon`);
  database.close();
}
