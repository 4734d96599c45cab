// Requirements of users of an OBS server with live resources: scenes, sources, sound and filters, and their
// notifications.
import { differs, rowsOf, works } from './acceptance-row.ts';

const catalog = 'test/obs/catalog.test.ts';
const scenes = 'test/obs/scene-cases.ts';
const sources = 'test/obs/source-cases.ts';
const tools = 'test/obs/tool-cases.ts';
const healing = 'test/obs/healing-cases.ts';
const story = 'test/obs/cell-story.ts';
const devices = 'test/obs/device-cases.ts';
const log = 'test/obs/log.test.ts';
const faults = 'test/obs/faults.test.ts';
const connection = 'test/obs/connection.test.ts';

const lists = 'lists every resource under its OBS name, with a description and its type';
const created = 'a scene is created, renamed and removed';
const switched = 'scenes are switched: the old and the new one are announced';
const hidden = 'a source is hidden and shown';
const madeByHand = 'a scene created by hand is listed, and its subscribers are notified';
const inputByHand = 'an input created by hand announces itself, its sound and its scene';
const settings = 'settings that OBS does not announce: a read shows them, and watchers are notified';
const sound = 'sound: every value is announced once, and not when it is set again';
const filters = 'filters: added, disabled, renamed, moved and removed by hand';
const readUnder = 'reads a scene as JSON under the requested URI';
const wrongUris = 'refuses a URI without a resource, with a reason';
const logged = 'events of OBS are logged at info, once each';

const document = 'MCP Resources & Notifications';

export const obsRows = rowsOf('obs', document, {
  Overview: [
    works(catalog, lists, { queryable: 'The state of OBS can be listed and read as resources.' }),
    works(story, hidden, { 'server-initiated': 'The server itself tells when that state changes.' }),
    works(catalog, 'answers a tool call with structured content and links to the changed resources', {
      'read-only': 'Resources are read; actions are tools.',
    }),
  ],
  'Scenes as Resources, schema': [
    works(catalog, 'has a template for each kind', { 'scene-uri': 'A scene is the resource obs://scene/{name}.' }),
    works(catalog, lists, { 'scene-type': 'A scene is marked as obs-scene.', 'scene-mime': 'It is application/json.' }),
  ],
  'List Resources': [
    works(catalog, lists, {
      'scene-list': 'Every scene is listed.',
      'scene-list-uri': 'A listed scene has its URI.',
      'scene-list-name': 'It has the name it has in OBS.',
      'scene-list-mime': 'It is listed as application/json.',
      'scene-list-description': 'Its description says what is in it.',
    }),
  ],
  'Read Resource': [
    works(scenes, madeByHand, {
      'scene-read': 'A read of a scene answers one JSON document.',
      'scene-read-name': 'It has the name of the scene.',
      'scene-read-sources': 'It has the sources of the scene.',
    }),
    works(catalog, readUnder, {
      'scene-read-uri': 'The content stands under the URI that was asked for.',
      'scene-read-mime': 'It is application/json.',
    }),
    works(scenes, 'a switch announces the old scene, the new one and the status', {
      'scene-active': 'A scene says whether it is on air.',
    }),
    works(scenes, 'scenes are numbered from the top of the list', { 'scene-index': 'It has its place in the list.' }),
    works(sources, 'a source hidden by hand announces itself and its scene, and nothing else', {
      'scene-source-name': 'Each of its sources has its name.',
      'scene-source-visible': 'Each says whether it is visible.',
    }),
    works(
      scenes,
      'a scene renamed by hand announces both names, its sources, its filters and the scene that nests it',
      {
        'scene-source-type': 'Each says what it is: an input, a scene or a group.',
      },
    ),
  ],
  'When to Send Notifications': [
    works(story, created, {
      'scene-created': 'A new scene changes the list.',
      'scene-removed': 'A removed scene changes the list.',
    }),
    works(story, switched, { 'scene-switched': 'A change of the program scene updates the new scene.' }),
    works(story, hidden, { 'item-visibility': 'A shown or hidden source updates its scene.' }),
  ],
  'Notification Message Format': [
    works(
      'packages/live/src/live-server.test.ts',
      'adding and removing a resource notifies of the resource and of the list',
      {
        'list-changed-format': 'A changed list is notifications/resources/list_changed.',
      },
    ),
    works('test/cli/stdio.test.ts', 'writes nothing but JSON-RPC to stdout, for any input', {
      'updated-format': 'An update is notifications/resources/updated with the URI.',
    }),
    works(story, created, { 'list-again': 'A list that follows a changed list has the change.' }),
    works(story, hidden, { 'read-after-notify': 'A read that follows an update has the change.' }),
  ],
  'Event Flow': [
    works(scenes, madeByHand, { 'hand-made': 'What a person does in OBS is told, as what tools do.' }),
    works('test/obs/real-cells.test.ts', 'a real OBS, seen by', { 'real-obs': 'All of it comes from OBS itself.' }),
  ],
  'Code Structure': [
    works(log, logged, {
      'logged-scene-created': 'A new scene is logged.',
      'logged-scene-removed': 'A removed scene is logged.',
      'logged-scene-switched': 'A change of the program scene is logged.',
    }),
    works(story, created, { 'unknown-scene': 'A scene that does not exist is an error that names it.' }),
    works(story, 'OBS exits and returns', { 'read-fails': 'A read without OBS is an error that says so.' }),
  ],
  'Typical Workflow': [
    works(connection, 'events of high volume are not requested from OBS', {
      'events-wanted': 'The server subscribes to the events of OBS.',
    }),
    works(story, switched, {
      'workflow-notified': 'A switch by a person is told with the URI of the scene.',
      'workflow-read': 'The read that follows has isActive: true.',
    }),
    works(tools, 'tools list scenes and inputs for hosts without resources', {
      'what-scenes': 'An assistant can say which scenes there are.',
    }),
  ],
  'Sources as Resources': [
    works(sources, inputByHand, {
      'source-uri': 'A source in a scene is the resource obs://source/{scene}/{source}.',
      'source-added': 'A source that is added changes the list.',
    }),
    works(sources, 'a source hidden by hand announces itself and its scene, and nothing else', {
      'source-visibility': 'A shown or hidden source is announced.',
    }),
    works(sources, settings, { 'source-settings': 'Changed settings are announced.' }),
    works(
      sources,
      'an input removed by hand disappears at once, though OBS still lists it in a scene that is not shown',
      { 'source-removed': 'A source that is removed changes the list.' },
    ),
  ],
  'Audio Inputs as Resources': [
    works(story, 'an input is muted', {
      'audio-uri': 'An input with sound is the resource obs://audio-input/{input}.',
      'audio-mute': 'Muting is announced.',
    }),
    works(sources, sound, { 'audio-volume': 'A changed volume is announced.' }),
    works(devices, 'an audio input shows its device and the available ones, and a change by hand is announced', {
      'audio-device': 'A changed audio device is announced.',
    }),
  ],
  'Filters as Resources': [
    works(story, 'a filter is added and disabled', {
      'filter-uri': 'A filter is the resource obs://filter/{source}/{filter}.',
      'filter-enabled': 'Enabling and disabling it is announced.',
    }),
    works(sources, settings, { 'filter-settings': 'Changed settings are announced.' }),
    works(sources, filters, {
      'filter-added': 'A filter that is added changes the list.',
      'filter-removed': 'A filter that is removed changes the list.',
    }),
  ],
  'Best Practices: Resource Naming': [
    works(scenes, 'names may have any characters', {
      'encoded-names': 'Names are percent-encoded in URIs, whatever characters they have.',
    }),
    works(catalog, 'has a template for each kind', {
      hierarchy: 'URIs have a clear hierarchy.',
      'stable-uris': 'They stay the same.',
    }),
  ],
  'Best Practices: Notification Frequency': [
    works(faults, 'a thousand toggles in a burst end in the right state, with few notifications', {
      bursts: 'Changes in quick succession are few notifications.',
    }),
    works(sources, sound, { 'only-real-changes': 'Only changes of the content are announced.' }),
    works(sources, 'a source hidden by hand announces itself and its scene, and nothing else', {
      'only-subscribers': 'Only what a client subscribed to is announced to it.',
    }),
  ],
  'Best Practices: Error Handling': [
    works(catalog, wrongUris, { 'invalid-uri': 'A wrong URI is an error that says what is wrong.' }),
    works(
      connection,
      'without OBS it starts, lists its status, reports that OBS is missing, and connects when OBS appears',
      {
        'obs-away': 'Without OBS the server starts, says what is missing, and connects when OBS appears.',
      },
    ),
    works(story, 'OBS exits and returns', { 'obs-back': 'After OBS was away, what differs is announced.' }),
    differs(
      'test/scenarios/streams.ts',
      'silent-peer',
      'If a client cannot be notified, its stream is closed, and it is notified when it reconnects.',
      { 'send-failures': 'Failures to send a notification are logged.' },
    ),
  ],
  'Best Practices: Performance': [
    works(faults, 'scenes and sound are read from memory, without requests to OBS', {
      'cached-reads': 'The list of scenes is kept in memory.',
    }),
    works(faults, 'five hundred sources are listed page by page, and one change notifies of one of them', {
      serialisation: 'Content is made efficiently: one change makes one resource anew.',
    }),
    differs(
      'test/scenarios/delivery.ts',
      'stalled-reader-bounded',
      'There is no queue of notifications: for each client a set of URIs is kept, each at most once.',
      { 'queue-depth': 'The length of the queue of notifications is watched.' },
    ),
  ],
  'Testing Notifications': [
    works(story, created, { 'manual-created': 'A scene that is made in OBS reaches a connected client.' }),
    works(story, switched, { 'manual-switched': 'So does a switch of scenes.' }),
    works('test/obs/fake-cells.test.ts', 'a fake OBS, seen by', { automated: 'Both can be tested without OBS.' }),
  ],
  'Asked for by its users': [
    works(devices, 'a global device, which is in no scene, is a resource, and its changes are announced', {
      'audio-global-device': 'A changed device of an input that is in no scene is announced.',
    }),
    works(
      faults,
      'devices are read once for all inputs of a kind, only while one is watched, and new ones are announced',
      {
        'new-devices': 'New devices are announced.',
      },
    ),
    works(healing, 'OBS exits, taking everything apart, and is started again', {
      'obs-exit': 'An exit of OBS deletes nothing.',
    }),
    works(log, 'logs a lost OBS as a warning and its return; an exit announces no removals', {
      'logged-connection': 'That OBS is away or back is logged.',
    }),
    works(
      'test/hub/obs-away.test.ts',
      'the loss and the return of OBS appear in the list of servers and in the journal',
      {
        'shown-connection': 'That OBS is away or back is seen at the hub.',
      },
    ),
    works(
      'test/obs/watched-cases.ts',
      'a screenshot has the requested size, and a change of the picture is announced',
      {
        screenshot: 'A screenshot is a live resource of a size to choose.',
      },
    ),
    works(
      connection,
      'a watched screenshot is taken at most once a second with any number of reads, and never without a watcher',
      { 'screenshot-rate': 'It is taken at most once a second, and only while it is watched or read.' },
    ),
    works('test/obs/watched-cases.ts', 'levels of an input can be read, and watchers are notified while they change', {
      meters: 'The levels of an input are a live resource.',
    }),
    works('test/obs/watched-cases.ts', 'statistics can be read, and watchers are notified', {
      stats: 'The figures of OBS are a live resource.',
    }),
    works('test/obs/watched-cases.ts', 'a source moved by hand announces its new position', {
      transforms: 'A moved source is announced.',
    }),
    works(
      'test/obs/watched-cases.ts',
      'a media input is played, paused, sought and stopped, and changes of its state are announced',
      {
        media: 'Media inputs are played, paused and sought, and their state is announced.',
      },
    ),
    works('test/obs/arrangement-cases.ts', 'hotkeys are listed once each, and triggered by name or by keys', {
      hotkeys: 'Hotkeys are listed and triggered.',
    }),
    works(
      'test/obs/arrangement-cases.ts',
      'a tool switches the scene collection: one new list is announced once, with the presets of that collection',
      { collections: 'Another scene collection makes the list anew, announced once.' },
    ),
    works(
      'test/obs/arrangement-cases.ts',
      'profiles are created, switched and removed, and the status shows each change',
      {
        profiles: 'Profiles are switched, made and removed.',
      },
    ),
    works(
      'test/obs/arrangement-cases.ts',
      'a preset restores which sources are shown, and reports those it could not restore',
      {
        presets: 'Which sources of a scene are shown is saved and restored.',
      },
    ),
    works(catalog, 'has prompts for streamers', { prompts: 'There are prompts for what streamers ask for.' }),
    works(catalog, 'every tool has a consistent name, a description and an output schema', {
      'tool-descriptions': 'Every tool says what it does.',
    }),
    works(
      'test/cli/init.test.ts',
      'has the host ask for the password of OBS where it can, without losing what it asks for already',
      {
        password: 'The password of OBS is where the host keeps secrets.',
      },
    ),
    works(tools, 'a request that OBS refuses fails with the reason and advice', {
      'tool-errors': 'A tool that OBS declines answers with the reason.',
    }),
    differs(
      catalog,
      'has a template for each kind',
      'they can be read and subscribed to, but are templates and not listed, since a client that follows the whole list would make OBS send them continuously.',
      { 'not-listed': 'Every resource is in the list.' },
    ),
  ],
});
