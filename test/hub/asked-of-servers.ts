// Requests to the servers under comparison, besides their lists and the listed items.
import { join } from 'node:path';
import type { Asked } from './comparable-answers.ts';

export function askedOf(id: string, files: string): Asked[] {
  if (id === 'everything') return everything;
  if (id === 'memory') return memory;
  if (id === 'filesystem') return filesystem(files);
  return conformance;
}

const call = (name: string, args: Record<string, unknown> = {}): Asked => ['tools/call', { name, arguments: args }];
const prompt = (name: string, args?: Record<string, string>): Asked => ['prompts/get', { name, arguments: args }];
const read = (uri: string): Asked => ['resources/read', { uri }];
const completePrompt = (name: string, argument: string, value: string, chosen = {}): Asked => [
  'completion/complete',
  { ref: { type: 'ref/prompt', name }, argument: { name: argument, value }, context: { arguments: chosen } },
];
const completeResource = (uri: string, argument: string, value: string): Asked => [
  'completion/complete',
  { ref: { type: 'ref/resource', uri }, argument: { name: argument, value } },
];

const everything: Asked[] = [
  call('echo', { message: 'hello' }),
  call('echo', {}),
  call('get-sum', { a: 1, b: 2 }),
  call('get-sum', { a: 'no number', b: 2 }),
  call('get-tiny-image'),
  call('get-structured-content', { location: 'New York' }),
  call('get-structured-content', { location: 'Atlantis' }),
  call('get-annotated-message', { messageType: 'error', includeImage: true }),
  call('get-resource-links', { count: 3 }),
  call('get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
  call('trigger-long-running-operation', { duration: 0.1, steps: 2 }),
  prompt('simple-prompt'),
  prompt('args-prompt', { city: 'Oslo' }),
  prompt('args-prompt'),
  prompt('completable-prompt', { department: 'Engineering', name: 'Ada' }),
  prompt('resource-prompt', { resourceType: 'Text', resourceId: '1' }),
  completePrompt('completable-prompt', 'department', ''),
  completePrompt('completable-prompt', 'name', '', { department: 'Engineering' }),
  completePrompt('completable-prompt', 'nothing', ''),
  completeResource('demo://resource/dynamic/text/{resourceId}', 'resourceId', '1'),
  read('demo://resource/dynamic/text/1'),
  read('demo://resource/dynamic/blob/2'),
  read('demo://resource/dynamic/text/none'),
  read('demo://nothing'),
];

const memory: Asked[] = [
  call('read_graph'),
  call('search_nodes', { query: 'Ada' }),
  call('open_nodes', { names: ['Ada'] }),
  call('add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }),
  call('create_entities', {}),
  read('memory://nothing'),
];

function filesystem(files: string): Asked[] {
  return [
    call('list_allowed_directories'),
    call('list_directory', { path: files }),
    call('read_text_file', { path: join(files, 'note.txt') }),
    call('read_text_file', { path: join(files, 'none.txt') }),
    call('read_text_file', { path: '/etc/passwd' }),
    call('read_multiple_files', { paths: [join(files, 'note.txt'), join(files, 'none.txt')] }),
    call('directory_tree', { path: files }),
    call('edit_file', { path: join(files, 'note.txt'), edits: [{ oldText: 'A', newText: 'B' }], dryRun: true }),
  ];
}

const conformance: Asked[] = [
  call('test_simple_text'),
  call('test_image_content'),
  call('test_audio_content'),
  call('test_embedded_resource'),
  call('test_multiple_content_types'),
  call('test_error_handling'),
  call('test_tool_with_progress'),
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', { arg1: 'one', arg2: 'two' }),
  prompt('test_prompt_with_arguments', { arg1: 'one' }),
  prompt('test_prompt_with_image'),
  prompt('test_prompt_with_embedded_resource', { resourceUri: 'test://static-text' }),
  completePrompt('test_prompt_with_arguments', 'arg1', ''),
  completeResource('test://template/{id}/data', 'id', ''),
  read('test://template/7/data'),
  read('test://nothing'),
  read('no uri'),
];
