// The order of test files: the longest begin first, so that no worker runs one of them alone at the end. Vitest
// remembers durations, but a new checkout has none.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By duration, the longest first. `TIDINGS_TEST_TIMES=FILE` prints durations. */
const longest = [
  'test/hostile/servers/servers.test.ts',
  'test/sabotage/sources.test.ts',
  'test/pack/pack.test.ts',
  'test/hostile/clients/hub.test.ts',
  'test/dashboard/access.test.ts',
  'test/start/fresh-clone.test.ts',
  'test/sabotage/kit.test.ts',
  'test/chaos/chaos.test.ts',
  'test/publish/release.test.ts',
  'test/publish/site.test.ts',
  'test/conformance/clients.test.ts',
  'test/e2e/page-session.spec.ts',
  'test/dashboard/hostile-content.test.ts',
  'test/load/store-processes.test.ts',
  'test/load/large-page.test.ts',
  'test/load/obs-versions.test.ts',
  'test/hostile/terminal.test.ts',
  'test/dashboard/staying-right.test.ts',
  'test/conformance/tasks-through-hub.test.ts',
  'test/fuzz/direct-answers.test.ts',
  'test/dashboard/lost-connection.test.ts',
  'test/cluster/agent-sessions.test.ts',
  'test/obs/real-studio.test.ts',
  'test/track/http-faults.test.ts',
  'test/track/restart.test.ts',
  'test/track/faults.test.ts',
  'test/track/unfinished-subscriptions.test.ts',
  'test/hub/secrets.test.ts',
  'test/hub/relay-bounds.test.ts',
  'test/track/processes.test.ts',
  'test/cluster/lost-nodes.test.ts',
  'test/hub/questions-apart.test.ts',
  'test/cli/completion-in-shells.test.ts',
  'test/track/connection-faults.test.ts',
  'test/hub/watching-many.test.ts',
  'test/cluster/rolling-restart.test.ts',
  'test/track/real-servers.test.ts',
  'test/obs/real-cells.test.ts',
  'test/hub/unchanged.test.ts',
  'test/vcon/cells.test.ts',
  'test/dashboard/views.test.ts',
  'test/cluster/two-nodes.test.ts',
  'test/hub/quotas.test.ts',
  'test/cli/up.test.ts',
  'test/dashboard/calls.test.ts',
  'test/cli/list.test.ts',
  'test/store/postgres-silent.test.ts',
  'test/hub/asking-tasks.test.ts',
  'test/schedules/embedded-postgres.test.ts',
  'test/hub/edited-access.test.ts',
  'test/obs/fake-studio.test.ts',
  'test/requirements/requirements.test.ts',
  'test/hub/gateway.test.ts',
  'test/vcon/cli.test.ts',
  'test/vcon/semantic.test.ts',
  'test/login/renewal.test.ts',
  'test/cli/watch.test.ts',
  'test/hub/redaction.test.ts',
  'test/hub/changing-upstreams.test.ts',
  'test/access/matrix.test.ts',
  'test/store/postgres.test.ts',
  'test/cluster/webhooks.test.ts',
  'test/dashboard/schedules.test.ts',
  'test/cli/stdio.test.ts',
  'test/hub/definitions.test.ts',
  'test/hub/server-state.test.ts',
  'test/cli/read.test.ts',
  'test/vcon/search-redaction.test.ts',
  'test/vcon/reference.test.ts',
  'test/cli/consent.test.ts',
  'test/vcon/search.test.ts',
  'test/hub/sessions.test.ts',
  'test/hub/hub-sessions.test.ts',
  'test/vcon/export.test.ts',
  'test/cluster/questions.test.ts',
  'test/vcon/tools.test.ts',
  'test/hub/obs-lists.test.ts',
  'test/obs/faults.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((a, b) => projectRank(a) - projectRank(b) || rank(a) - rank(b));
  }
}

/** A worker ends when the next file is of another project, so the files of a project follow one another. */
function projectRank({ project }: TestSpecification): number {
  return project.name === 'pages' ? 0 : 1;
}

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return index === -1 ? longest.length : index;
}
