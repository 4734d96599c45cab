// The tables of vcon-mcp that an import reads, in the first and in the current version of its schema.
export type SchemaVersion = 'first' | 'current';

const content = 'mediatype text, filename text, body text, encoding text, url text, content_hash text';
const key = 'id uuid primary key default gen_random_uuid()';

export function vconMcpTables(version: SchemaVersion): string {
  const isCurrent = version === 'current';
  const owner = `vcon_id uuid not null references vcons (${isCurrent ? 'uuid' : 'id'}) on delete cascade`;
  const newer = (columns: string) => (isCurrent ? `, ${columns}` : '');
  return `
    create table vcons (
      ${key}, uuid uuid unique not null, vcon_version varchar(10) not null default '0.3.0', subject text,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      done boolean default false, corrupt boolean default false, processed_by text,
      privacy_processed jsonb default '{}', redaction_rules jsonb default '{}', redacted jsonb default '{}',
      appended jsonb default '{}', group_data jsonb default '[]', extensions text[], must_support text[]
      ${newer(`critical text[], amended jsonb default '{}', tenant_id text, subject_tsvector tsvector`)});
    create table parties (
      ${key}, ${owner}, party_index integer not null, tel text, sip text, stir text, mailto text, name text, did text,
      validation text, jcard jsonb, gmlpos text, civicaddress jsonb, timezone text,
      uuid ${isCurrent ? 'text' : 'uuid'}, data_subject_id text, metadata jsonb default '{}'
      ${newer('tenant_id text')}, unique (vcon_id, party_index));
    create table dialog (
      ${key}, ${owner}, dialog_index integer not null, type text not null, start_time timestamptz,
      duration_seconds real, parties integer[], originator integer, ${content}, disposition text,
      ${isCurrent ? 'session_id_legacy text, session_id jsonb' : 'session_id text'}, application text,
      message_id text, size_bytes bigint, metadata jsonb default '{}'
      ${newer('transferee integer, transferor integer, transfer_target integer[], original integer[], tenant_id text')});
    create table party_history (
      ${key}, dialog_id uuid not null references dialog (id) on delete cascade, party_index integer not null,
      time timestamptz not null, event text not null ${newer('dtmf text, tenant_id text')});
    create table attachments (
      ${key}, ${owner}, attachment_index integer not null, type text, start_time timestamptz, party integer,
      dialog integer, ${content.replace('mediatype', 'mimetype')}, size_bytes bigint, metadata jsonb default '{}'
      ${newer('purpose text, created_at timestamptz, tenant_id text')});
    create table analysis (
      ${key}, ${owner}, analysis_index integer not null, type text not null, dialog_indices integer[],
      vendor text not null, product text, schema text, ${content}, created_at timestamptz, confidence real,
      metadata jsonb default '{}');
    ${isCurrent ? '' : `create table groups (${key}, ${owner}, group_index integer not null, uuid uuid, url text)`}`;
}
