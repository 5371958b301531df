import type { ConfigurationVersionView } from '@toolgate/server/domains/configurations/schemas'
import { History } from 'lucide-react'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import {
  diffConfigurations,
  restoredDifferences,
} from '@/lib/domains/configurations/shared/configuration-differences'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { countOf } from '@/lib/words/format'
import { RestoreVersion } from './restore-version'

type Props = {
  configurationId: string
  /** Newest first, with one more than is shown: the last one shown is compared with it. */
  versions: ConfigurationVersionView[]
  shown: number
  total: number
  current: { version: number; form: ConfigurationForm }
  /** The two versions that are compared above the list. */
  compared: [number, number] | null
}

/** Shows every version with who, when, why and what changed. */
export function Versions({ configurationId, versions, compared, ...rest }: Props) {
  const { shown, total, current } = rest
  if (versions.length === 0) {
    return (
      <EmptyState icon={History} title="No changes yet">
        The history starts with the next change.
      </EmptyState>
    )
  }
  return (
    <Section
      title="Versions"
      action={
        <span className="numeric text-muted text-sm">
          {total === 1 ? 'One version' : countOf(total, 'version')}
        </span>
      }
    >
      <ol className="divide-y rounded-md border bg-surface-1">
        {versions.slice(0, shown).map((entry, index) => (
          <Entry
            key={entry.version}
            configurationId={configurationId}
            entry={entry}
            before={versions[index + 1]}
            current={current}
            isCompared={compared?.[1] === entry.version}
          />
        ))}
      </ol>
    </Section>
  )
}

function Entry({
  configurationId,
  entry,
  before,
  current,
  isCompared,
}: Pick<Props, 'configurationId' | 'current'> & {
  entry: ConfigurationVersionView
  before: ConfigurationVersionView | undefined
  isCompared: boolean
}) {
  const { version, note, createdAt, createdByLabel, form } = entry
  const labels = before && diffConfigurations(before.form, form).map(({ label }) => label)
  const address = `/configurations/${configurationId}/history`
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="numeric text-strong">Version {version}</h3>
          {version === current.version && <Badge tone="ok">Current</Badge>}
          <span className="text-muted text-sm">
            <RelativeTime at={createdAt} /> by <VisibleText text={createdByLabel} />
          </span>
        </div>
        {note !== '' && (
          <p className="[overflow-wrap:anywhere]">
            <VisibleText text={note} />
          </p>
        )}
        <p className="text-muted text-sm">
          {labels ? labels.join(', ') || 'No fields' : 'First version'}
        </p>
      </div>
      <span className="flex flex-wrap gap-2">
        {before && (
          <Button asChild size="sm">
            <Link
              href={isCompared ? address : `${address}?from=${before.version}&to=${version}`}
              aria-current={isCompared || undefined}
            >
              {isCompared ? 'Hide changes' : 'Show changes'}
              <span className="sr-only"> of version {version}</span>
            </Link>
          </Button>
        )}
        {version !== current.version && (
          <RestoreVersion
            configurationId={configurationId}
            restored={version}
            version={current.version}
            differences={restoredDifferences(current.form, form)}
          />
        )}
      </span>
    </li>
  )
}
