// The kept versions of a resource, and the changes between two of them: the last two unless others are chosen.
import type { KeptVersion, ListedResource } from '@tidings/client/contract';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ShownContent, readVersion, readVersions } from '../../hub/contents.ts';
import { byteCount } from '@tidings/client/contract';
import { DiffView } from '../element/diff-view.tsx';

interface HistoryViewProps {
  resource: ListedResource;
  /** Increases when the resource may have changed. */
  changes: number;
  /** The contents that this page has read itself, in case the hub keeps no versions. */
  seen: { before: ShownContent | undefined; after: ShownContent };
}

export function HistoryView({ resource, changes, seen }: HistoryViewProps): JSX.Element {
  const versions = useVersions(resource, changes, seen.after.etag);
  const [chosen, setChosen] = useState<{ before?: number; after?: number }>({});
  const after = versions?.find(({ version }) => version === chosen.after) ?? versions?.at(-1);
  const before = versions?.find(({ version }) => version === chosen.before) ?? versionBefore(versions, after);
  const contents = useContents(resource, before, after);
  // A resource that is not tracked has no versions at the hub.
  if (versions === undefined || versions.length < 2) return <DiffView before={seen.before} after={seen.after} />;
  return (
    <>
      <div class="filters">
        <VersionChoice
          label="Before"
          versions={versions}
          value={before}
          onChoose={(version) => setChosen({ ...chosen, before: version })}
        />
        <VersionChoice
          label="After"
          versions={versions}
          value={after}
          onChoose={(version) => setChosen({ ...chosen, after: version })}
        />
      </div>
      {contents && <DiffView before={contents.before} after={contents.after} />}
    </>
  );
}

interface VersionChoiceProps {
  label: string;
  versions: readonly KeptVersion[];
  value: KeptVersion | undefined;
  onChoose(this: void, version: number): void;
}

function VersionChoice({ label, versions, value, onChoose }: VersionChoiceProps): JSX.Element {
  return (
    <select
      aria-label={label}
      value={String(value?.version ?? '')}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    >
      {versions.toReversed().map(({ version, readAt, bytes }) => (
        <option key={version} value={String(version)}>
          {`${label}: ${version}, ${new Date(readAt).toLocaleTimeString()}, ${byteCount(bytes)}`}
        </option>
      ))}
    </select>
  );
}

function versionBefore(
  versions: readonly KeptVersion[] | undefined,
  after: KeptVersion | undefined,
): KeptVersion | undefined {
  return versions?.findLast(({ version }) => after !== undefined && version < after.version);
}

/** Read again with every change, and when the shown content changes. */
function useVersions(resource: ListedResource, changes: number, etag: string): readonly KeptVersion[] | undefined {
  const [versions, setVersions] = useState<readonly KeptVersion[]>();
  const { current: reads } = useRef({ begun: 0, shown: 0 });
  useEffect(() => {
    reads.begun += 1;
    const read = reads.begun;
    const show = (found: readonly KeptVersion[]) => {
      // Overtaken by the answer of a later read.
      if (read < reads.shown) return;
      reads.shown = read;
      setVersions(found);
    };
    // Without permission, only the contents that this page has read are compared.
    readVersions(resource).then(show, () => show([]));
  }, [resource.address, changes, etag]);
  return versions;
}

function useContents(
  resource: ListedResource,
  before: KeptVersion | undefined,
  after: KeptVersion | undefined,
): { before: ShownContent | undefined; after: ShownContent } | undefined {
  const [contents, setContents] = useState<{ before: ShownContent | undefined; after: ShownContent }>();
  useEffect(() => {
    if (after === undefined) return undefined;
    const read = async () => ({
      before: before && (await readVersion(resource, before)),
      after: await readVersion(resource, after),
    });
    let isWanted = true;
    // A version that was dropped meanwhile is replaced when the list is read.
    read().then(
      (both) => {
        if (isWanted) setContents(both);
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [resource.address, before?.version, after?.version]);
  return contents;
}
