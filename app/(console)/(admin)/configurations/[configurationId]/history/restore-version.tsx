'use client'
import { History } from 'lucide-react'
import { useState } from 'react'
import { restoreHere } from '@/app/(console)/(admin)/configurations/actions'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { Button } from '@/components/ui/button'
import type { ConfigurationDifference } from '@/lib/domains/configurations/shared/configuration-differences'

type Props = {
  configurationId: string
  restored: number
  /** The current version. */
  version: number
  /** The differences between the current version and the old one. */
  differences: ConfigurationDifference[]
}

/** Shows what would change, and restores an old version as a new one. */
export function RestoreVersion({ configurationId, restored, version, differences }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" disabled={differences.length === 0} onClick={() => setAsking(true)}>
        <History className="size-4" aria-hidden />
        Restore<span className="sr-only"> version {restored}</span>
      </Button>
      {asking && (
        <ActWithReason
          title={`Restore version ${restored}`}
          failed="Not restored"
          done={`Restored version ${restored}`}
          danger={false}
          send={(note) => restoreHere({ id: configurationId, restored, version, note })}
          onClose={() => setAsking(false)}
        >
          It becomes version {version + 1}, for new runs. Changed:{' '}
          {differences.map(({ label }) => label).join(', ')}. Switch, four eyes and raised data
          class stay.
        </ActWithReason>
      )}
    </>
  )
}
