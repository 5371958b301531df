import type { Values } from '@toolgate/server/edge/resource-values'
import Link from 'next/link'
import { DiffView } from '@/components/nouns/diff-view'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { pathOf } from '@/lib/protocol/nouns'
import { type AnyResource, type Definition, type Resource, untyped } from '@/lib/shape/resource'
import { findDifferences } from '@/lib/shape/resource-differences'
import { diffLines } from '@/lib/words/diff-lines'
import { type Restore, RestoreVersion } from './restore-version'

/** A version of an object: what it had, who made it, when and why. */
type Version = {
  version: number
  form: Values
  note: string
  createdByLabel: string
  createdAt: string
}

/** Shows the versions of an object, newest first, which is the current one. Each restores the object as it was then. */
export function VersionHistory<D extends Definition>({
  resource: typed,
  id,
  versions,
  compared,
  restore,
}: {
  resource: Resource<D>
  id: string
  versions: readonly Version[]
  /** The version that is compared with the version before it. */
  compared: number
  restore: Restore
}) {
  const resource = untyped(typed)
  const [current] = versions
  return (
    <Section title="History">
      <ol className="divide-y rounded-md border bg-surface-1">
        {versions.map((entry, index) => (
          <Entry
            key={entry.version}
            resource={resource}
            id={id}
            entry={entry}
            restore={restore}
            before={versions[index + 1]}
            current={current ?? entry}
            isCompared={entry.version === compared}
          />
        ))}
      </ol>
    </Section>
  )
}

type EntryProps = {
  resource: AnyResource
  id: string
  entry: Version
  before: Version | undefined
  current: Version
  isCompared: boolean
  restore: Restore
}

function Entry({ resource, id, entry, before, current, isCompared, restore }: EntryProps) {
  const { version, note, createdAt, createdByLabel, form } = entry
  const isCurrent = version === current.version
  const page = `${pathOf(resource)}/${id}`
  return (
    <li className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="numeric text-strong">Version {version}</h3>
        {isCurrent && <Badge tone="ok">Current</Badge>}
        <span className="text-muted text-sm">
          <RelativeTime at={createdAt} /> by <VisibleText text={createdByLabel} />
        </span>
        <span className="min-w-0 text-sm [overflow-wrap:anywhere]">
          <VisibleText text={note} />
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {before && (
            <Button asChild size="sm">
              <Link href={isCompared ? page : `${page}?changes=${version}`} scroll={false}>
                {isCompared ? 'Hide changes' : 'Show changes'}
                <span className="sr-only"> of version {version}</span>
              </Link>
            </Button>
          )}
          {!isCurrent && (
            <RestoreVersion
              id={id}
              restored={version}
              version={current.version}
              changes={findDifferences(resource, current.form, form).map(({ label }) => label)}
              restore={restore}
            />
          )}
        </span>
      </div>
      {isCompared && before && <Changes resource={resource} before={before} after={entry} />}
    </li>
  )
}

function Changes({
  resource,
  before,
  after,
}: {
  resource: AnyResource
  before: Version
  after: Version
}) {
  return (
    <dl className="flex flex-col gap-2">
      {findDifferences(resource, before.form, after.form).map((each) => (
        <div key={each.field}>
          <dt className="text-muted text-sm">{each.label}</dt>
          <dd>
            <DiffView
              parts={diffLines(`${each.before}\n`, `${each.after}\n`)}
              label={`Changes of version ${after.version} in: ${each.label}`}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
