// The promises of the reference of vCon resources, section by section.
import { differs, rowsOf, works } from './acceptance-row.ts';

const reference = 'test/vcon/reference.test.ts';
const mistakes = 'test/vcon/mistakes.test.ts';
const search = 'test/vcon/search.test.ts';
const tools = 'test/vcon/tools.test.ts';
const curl = 'test/hub/curl.test.ts';

const recent = 'recent: 10 most recent in full, or a custom number';
const recentIds = 'recent/ids: the same, in short';
const ids = 'ids: all of them, page by page';
const after = 'ids after a timestamp: the older ones';
const whole = '{uuid}: the whole';
const metadata = '{uuid}/metadata: without its content';
const part = '{uuid}/%s';
const absent = 'absent arrays are read as empty ones, and missing tags as none';
const old = 'Migration Guide: old URIs have the content of their new ones';
const oneQuery = 'is one query';
const wrong = '%s is %s';
const byCurl = 'curl reads the newest conversations, one of them, and its transcript';
const everyTool = 'describe their input, their output and their effects';

const document = 'MCP Resources Reference (vCon)';

export const vconRows = rowsOf('vcon', document, {
  Overview: [
    works(reference, recent, { browsing: 'Recent conversations can be browsed.' }),
    works(reference, whole, { lookup: 'A vCon is found by its UUID.' }),
    works(reference, ids, { discovery: 'There are light lists of ids.' }),
    works(reference, part, {
      subresources: 'Parts of a vCon can be read.',
      derived: 'So can what is picked from them.',
    }),
  ],
  'Resource Namespace': [
    works(reference, 'resources/list names the collections and the newest 100 conversations', {
      namespace: 'All resources are under vcon://v1/vcons/.',
    }),
  ],
  'vcon://v1/vcons/recent': [
    works(reference, recent, {
      recent: 'The newest vCons are read in full.',
      'recent-default': 'Without a number there are 10.',
      'recent-number': 'A number chooses how many.',
      'recent-maximum': 'There are at most 100.',
      'recent-count': 'The answer has count.',
      'recent-limit': 'It has limit.',
    }),
    works('test/vcon/live.test.ts', 'that creates one notifies watchers of every list of any length', {
      'recent-activity': 'Recent activity can be followed.',
    }),
  ],
  'vcon://v1/vcons/recent/ids': [
    works(reference, recentIds, {
      'recent-ids': 'The newest are listed in short: uuid, created_at and subject.',
      'recent-ids-default': 'Without a number there are 10.',
      'recent-ids-number': 'A number chooses how many.',
      'recent-ids-maximum': 'There are at most 100.',
    }),
  ],
  'vcon://v1/vcons/ids': [
    works(reference, ids, {
      ids: 'All ids can be browsed.',
      'ids-default': 'Without a number there are 100 on a page.',
      'ids-number': 'A number chooses how many.',
      'ids-maximum': 'There are at most 1000.',
      'ids-more': 'has_more says whether there are more.',
      'ids-cursor': 'next_cursor leads to the next page.',
    }),
    works(reference, after, { 'ids-after': 'A page begins after a time.' }),
    differs(
      mistakes,
      'reach each vCon once if many have the same time',
      '`next_cursor` is opaque instead of a time, so that vCons of the same instant are neither left out nor repeated; a time is still accepted.',
      { 'ids-cursor-time': 'next_cursor is a time.' },
    ),
    works(mistakes, 'reach each remaining vCon once while others are added and removed', {
      'ids-export': 'All of them can be reached, also while others are made and deleted.',
    }),
  ],
  'vcon://v1/vcons/{uuid}': [
    works(reference, whole, { entity: 'A vCon is read whole by its UUID.' }),
    works(mistakes, 'returns every field', { 'entity-fields': 'It has all fields that it was given with.' }),
  ],
  'vcon://v1/vcons/{uuid}/metadata': [
    works(reference, metadata, {
      metadata: 'Its metadata is read alone.',
      'metadata-excludes': 'Parties, dialog, analysis and attachments are not in it.',
      'metadata-extensions': 'It has extensions.',
      'metadata-must-support': 'It has must_support.',
    }),
  ],
  Subresources: [
    works(reference, part, {
      parties: 'parties has the parties.',
      dialog: 'dialog has the dialog.',
      analysis: 'analysis has the analysis.',
      attachments: 'attachments has the attachments.',
    }),
    works(reference, absent, { 'absent-lists': 'What a vCon does not have is an empty list.' }),
    works('test/vcon/live.test.ts', 'of a party notifies watchers of the parties', {
      'parties-live': 'A change of one part is told to its subscribers.',
    }),
  ],
  'Derived Resources': [
    works(reference, part, {
      transcript: 'transcript has the analysis of type transcript.',
      'transcript-count': 'It has count.',
      summary: 'summary has the analysis of type summary.',
      'summary-count': 'It has count.',
      tags: 'tags has the tags as an object.',
    }),
    works(reference, absent, {
      'no-tags': 'Without tags it is {"tags": {}}.',
      'no-transcript': 'Without a transcript count is 0.',
    }),
    works('packages/vcon/src/model/tags.test.ts', 'are read back unchanged, in every style', {
      'tags-parsed': 'Tags are read however they were written.',
    }),
  ],
  'Resources vs. Tools': [
    works(search, 'finds by tags, all of which are required, and by all criteria together', {
      'tool-search': 'Tools search by tags and dates.',
    }),
    works(tools, 'creates a vCon from given fields, and keeps all of them', { 'tool-create': 'Tools create.' }),
    works(tools, 'updates fields given directly or under "updates"; null removes one', {
      'tool-update': 'Tools update.',
    }),
    works(tools, 'deletes a vCon once', { 'tool-delete': 'Tools delete.' }),
    works(tools, 'adds, updates and removes one %s', { 'tool-entries': 'Tools add dialog, analysis and attachments.' }),
  ],
  'Usage Examples: Claude Desktop': [
    works('test/cli/init.test.ts', 'shows the snippet for %s and writes nothing', {
      desktop: 'A host is set up with one command.',
    }),
    works(reference, recent, { 'example-recent': 'recent/20 is read.' }),
    works(reference, part, { 'example-parts': 'parties, summary and tags are read.' }),
  ],
  'Usage Examples: Custom MCP Client': [
    works(reference, 'resources/list names the collections and the newest 100 conversations', {
      'client-list': 'The SDK’s client lists resources.',
    }),
    works('test/vcon/cells.test.ts', 'notifies of a new conversation, which can then be read', {
      'client-read': 'It reads them, in both eras and over both transports.',
    }),
    works(mistakes, 'are all notified, with any number of them', {
      'clients-many': 'Several clients can be connected.',
    }),
  ],
  'Usage Examples: cURL': [
    works(curl, byCurl, {
      'curl-recent': 'GET /resources/{encoded URI} has the newest vCons.',
      'curl-one': 'It has one vCon.',
      'curl-transcript': 'It has its transcript.',
    }),
  ],
  'Performance Characteristics': [
    works(mistakes, oneQuery, {
      'queries-recent-ids': 'recent/ids is one query.',
      'queries-recent': 'recent is at most three.',
      'queries-one': '{uuid} is at most two.',
      'queries-metadata': 'metadata is one.',
      'queries-parties': 'parties is one.',
      'queries-transcript': 'transcript is one.',
      'queries-ids': 'ids/1000 is one.',
    }),
    works(mistakes, 'is fresh right after a change, also of another process', {
      caching: 'What a client keeps is known to be old when it changes.',
    }),
  ],
  'Error Handling': [
    works(mistakes, wrong, {
      'error-not-found': 'A UUID that does not exist is RESOURCE_NOT_FOUND.',
      'error-invalid-uuid': 'So is what is no UUID.',
      'error-invalid-uri': 'A URI that cannot be read is INVALID_URI.',
    }),
    works(mistakes, 'an unknown scheme is INVALID_URI', { 'error-scheme': 'So is one of another scheme.' }),
    works('test/vcon/import-resume.test.ts', 'reports the completed part after a database failure', {
      'error-database': 'A database that fails is DATABASE_ERROR.',
    }),
    works('test/hub/access.test.ts', 'shows a limited token only its resources, on every route', {
      'error-permission': 'What a caller may not read is PERMISSION_DENIED.',
    }),
    works('test/hub/api.test.ts', '%s %s is answered with %i %s', { 'error-format': 'Errors have code and message.' }),
  ],
  Limitations: [
    works(search, 'finds by part of the subject, ignoring case and accents', {
      'search-vcons': 'search_vcons filters.',
    }),
    works(search, 'reaches every vCon once, page by page, in every order, including equal values', {
      'search-order': 'Tools sort.',
    }),
    works(search, 'finds by tags, all of which are required, and by all criteria together', {
      'search-tags': 'search_by_tags filters by tags.',
    }),
    works(search, 'finds words in subject, dialog, transcripts and summaries, the best match first', {
      'search-content': 'search_vcons_content searches by words.',
    }),
    works('test/vcon/semantic.test.ts', 'finds similar texts in other words, nearest first', {
      'search-semantic': 'search_vcons_semantic searches by meaning.',
    }),
    works('test/vcon/tools-prompts.test.ts', everyTool, { crud: 'There are tools for every modification.' }),
  ],
  'Migration Guide': [
    works(reference, old, {
      'old-recent': 'vcon://recent still answers.',
      'old-recent-ids': 'vcon://recent/ids still answers.',
      'old-ids': 'vcon://list/ids still answers.',
      'old-uuid': 'vcon://uuid/{uuid} still answers.',
      'old-metadata': 'vcon://uuid/{uuid}/metadata still answers.',
    }),
    works(reference, 'a trailing slash is tolerated everywhere', {
      'trailing-slash': 'URIs may end with a slash, as the examples do.',
    }),
  ],
  'Next Steps': [
    works('test/vcon/tools-prompts.test.ts', '%s %j names the tools to use', {
      prompts: 'There are prompts for common queries.',
    }),
  ],
});
