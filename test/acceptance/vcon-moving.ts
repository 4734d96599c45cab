// Requirements of users of vcon-mcp besides its resources.
import { differs, rowsOf, works } from './acceptance-row.ts';

const fromDatabase = 'test/vcon/import-supabase.test.ts';
const fromServer = 'test/vcon/import-mcp.test.ts';
const oldArguments = 'test/vcon/old-arguments.test.ts';
const signatures = 'test/vcon/signatures.test.ts';
const rest = 'test/vcon/rest.test.ts';

export const vconMovingRows = rowsOf('vcon', 'vcon-mcp', {
  'Moving over': [
    works(fromDatabase, 'imports all stored parts of a vCon, from the %s version of the schema', {
      'import-database':
        'The vCons of its PostgreSQL database are brought over, whichever version of the schema it has.',
    }),
    works(fromDatabase, 'continues after the last written page, and shows its progress', {
      'import-database-resume':
        'An import from the database that was interrupted goes on after its last page, with a progress bar.',
    }),
    works(fromServer, 'imports everything from vcon-mcp, newest first, and reports unreadable vCons', {
      'import-server': 'The vCons of a running vcon-mcp are brought over by MCP, page by page.',
    }),
    works(fromServer, 'imports everything from a server of this kind by command, including equal times', {
      'import-any-server': 'The vCons of any vCon MCP server are brought over, ties in time included.',
    }),
    works(fromServer, 'keeps the received vCons, and continues after them', {
      'import-lost': 'What came before a server went away is kept.',
    }),
  ],
  Search: [
    works(oldArguments, 'find a party by one field, or by several fields of the same party', {
      'search-party-fields': 'Searches take party_name, party_email and party_tel.',
    }),
    works(oldArguments, 'combine words with tags and dates in one search', {
      'search-combined': 'Words are combined with tags and dates in one search.',
    }),
    works(oldArguments, 'return the requested parts of each, and the total number', {
      'search-formats': 'Searches take response_format, include_count and return_full_vcons.',
    }),
    works('test/vcon/semantic.test.ts', 'filters by tags, dates and parties, counts, and accepts a vector', {
      'search-embedding': 'Searches by meaning take a vector as embedding, and tags.',
    }),
    works(oldArguments, 'search by words if there is no embeddings endpoint, and say so', {
      'search-hybrid-words': 'Hybrid search works without an embeddings endpoint, by words, and says so.',
    }),
    works(oldArguments, 'find nothing that a redaction hides', {
      'search-redacted': 'No argument of a search reaches what is hidden from the caller.',
    }),
    works(oldArguments, 'filter tags as in vcon-mcp', {
      'tags-filters': 'get_unique_tags takes key_filter, min_count and include_counts.',
    }),
    differs(
      oldArguments,
      'return the requested parts of each, and the total number',
      'All searches return one format',
      { 'search-result-shape': 'Each search has a result shape of its own, with vcon_id and a score of its kind.' },
    ),
  ],
  Tools: [
    works(oldArguments, 'show the format, with examples that can be created unchanged', {
      'schema-examples': 'get_schema and get_examples show the format.',
    }),
    works(oldArguments, 'refuse an argument that resembles one of theirs, and name that one', {
      'unknown-arguments': 'Every tool refuses arguments that it does not have, with the nearest that it has.',
    }),
    works('test/vcon/tools.test.ts', 'accepts a vCon under vcon_data too', {
      'nested-document': 'A vCon under vcon_data is one, and never an empty conversation.',
    }),
    works('test/vcon/tools.test.ts', 'generates a missing uuid and created_at, a new uuid each time', {
      'new-version': 'A created vCon has uuid, created_at and version.',
    }),
  ],
  'Signed and encrypted': [
    works(signatures, 'is verified by a known key, and is read unchanged, whole or in parts', {
      'signed-verified': 'A signed vCon is verified, and readable in parts.',
    }),
    works(signatures, 'that was changed, or signed with another key, is stored and reported as invalid', {
      'signed-invalid': 'A signature that is not valid, or by an unknown key, is reported on import and in metadata.',
    }),
    works(signatures, 'is decrypted with a key of the operator, and stored unchanged', {
      'encrypted-opened': 'An encrypted vCon is opened with a configured key, and stays as it is.',
    }),
  ],
  HTTP: [
    works(rest, 'answers health, metrics, and its resources by GET', {
      'http-health': 'The HTTP server answers for its health and with metrics, and has resources by GET.',
    }),
    works('test/vcon/webhooks.test.ts', 'report created, changed and deleted vCons, signed', {
      webhooks: 'A signed webhook is sent for every change.',
    }),
    works(rest, 'creates, lists, reads, changes and deletes', {
      'rest-crud': 'The REST API creates, lists, reads, changes and deletes.',
    }),
    works(rest, 'creates batches, and reports the result of each vCon', {
      'rest-batch': 'The REST API takes batches and searches.',
    }),
    works(rest, 'shows only redacted content and changes nothing under a redaction', {
      'rest-redacted': 'The REST API shows and changes nothing past a redaction.',
    }),
    differs(
      rest,
      'creates batches, and reports the result of each vCon',
      'Pages have a `cursor` instead of an `offset`, which would skip or repeat vCons that are created or deleted meanwhile.',
      { 'rest-offset': 'The REST API pages by offset.' },
    ),
  ],
});
