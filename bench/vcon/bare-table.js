// Minimal code for these three responses: one table with a column for each shown field, a prepared statement per
// response, JSON.parse for stored JSON and JSON.stringify at the end.
import { openDatabase } from './driver.js';

export class BareTable {
  #database;
  #head;
  #newest;
  #insert;

  constructor(file) {
    this.#database = openDatabase(file);
    createBare(this.#database);
    this.#head = this.#database.prepare('select head from bare where uuid = ?');
    this.#newest = this.#database.prepare(
      'select uuid, created, created_at, subject from bare order by created desc, uuid desc limit ?',
    );
    this.#insert = this.#database.prepare('insert into bare values (?, ?, ?, ?, ?, ?)');
  }

  metadata(uuid) {
    const head = JSON.parse(this.#head.get(uuid).head);
    return JSON.stringify({ ...head, extensions: head.extensions ?? [], must_support: head.must_support ?? [] });
  }

  recentIds(limit = 10) {
    const vcons = this.#newest.all(limit).map(shown);
    return JSON.stringify({ count: vcons.length, limit, vcons });
  }

  ids(limit) {
    const rows = this.#newest.all(limit + 1);
    const vcons = rows.slice(0, limit).map(shown);
    const { created, uuid } = rows[limit - 1];
    const next_cursor = Buffer.from(JSON.stringify([created, uuid])).toString('base64url');
    return JSON.stringify({ count: vcons.length, limit, has_more: rows.length > limit, next_cursor, vcons });
  }

  /** Documents as JSON, in one transaction. */
  insertAll(texts) {
    this.#database.exec('begin immediate');
    for (const text of texts) {
      const head = JSON.parse(text);
      for (const list of ['parties', 'dialog', 'analysis', 'attachments']) delete head[list];
      const { uuid, created_at, subject } = head;
      this.#insert.run(uuid, Date.parse(created_at) * 1000, created_at, subject, JSON.stringify(head), text);
    }
    this.#database.exec('commit');
  }

  close() {
    this.#database.close();
  }
}

export function createBare(database) {
  database.exec(`
    create table if not exists bare (
      uuid text primary key, created real not null, created_at text not null, subject text,
      head text not null, document text not null);
    create index if not exists bare_by_created on bare (created desc, uuid desc)`);
}

function shown({ uuid, created_at, subject }) {
  return { uuid, created_at, subject };
}
