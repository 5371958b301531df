import { TriangleAlert } from 'lucide-react'
import { DifferenceList } from '@/components/nouns/difference-list'
import { Button } from '@/components/ui/button'
import type { ConfigurationDifference } from '@/lib/domains/configurations/shared/configuration-differences'
import { emptyListWords } from '@/lib/domains/configurations/shared/configuration-differences'

export type Conflict = {
  /** The current version of the stored configuration. */
  version: number
  /** Changes by others since this form was opened. */
  differences: ConfigurationDifference[]
  /** The labels of the fields that both changed. */
  clashes: string[]
}

/** Says that somebody else saved first, and offers to merge. Nothing that was typed is lost. */
export function ConflictNotice({
  conflict: { version, differences, clashes },
  onJoin,
}: {
  conflict: Conflict
  onJoin: () => void
}) {
  return (
    <section
      role="alert"
      aria-label="Conflict"
      data-conflict
      className="flex flex-col gap-3 rounded-md border border-warning/40 bg-warning-soft p-3"
    >
      <p className="flex gap-2">
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
        <span>
          <strong className="font-medium text-strong">Somebody saved version {version}.</strong>{' '}
          Your input stays and is not saved. They changed:
        </span>
      </p>
      <DifferenceList
        differences={differences}
        sides={['Before', 'After']}
        emptyWords={emptyListWords}
      />
      {clashes.length > 0 && (
        <p>
          Both of you changed: <strong className="font-medium">{clashes.join(', ')}</strong>. Your
          values stay.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onJoin}>
          Merge
        </Button>
      </div>
    </section>
  )
}
