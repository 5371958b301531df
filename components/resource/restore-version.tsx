'use client'
import { History } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { Button } from '@/components/ui/button'
import type { ActionResult } from '@/lib/next/action'

/** Makes an old version of an object the current one, as a new version. */
export type Restore = (input: { id: string; version: number }) => Promise<ActionResult<unknown>>

type Props = {
  /** The id of the object. */
  id: string
  restored: number
  /** The current version. */
  version: number
  /** The labels of the fields that would change. */
  changes: string[]
  restore: Restore
}

/** Shows what would change, and restores an old version as a new one. */
export function RestoreVersion({ id, restored, version, changes, restore }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" disabled={changes.length === 0} onClick={() => setAsking(true)}>
        <History className="size-4" aria-hidden />
        Restore<span className="sr-only"> version {restored}</span>
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Restore version ${restored}`}
          failed={`Version ${restored} was not restored`}
          done={`Restored version ${restored} as version ${version + 1}`}
          danger={false}
          send={() => restore({ id, version: restored })}
          onClose={() => setAsking(false)}
        >
          It becomes version {version + 1}, for later runs. Changed: {changes.join(', ')}.
        </ConfirmDialog>
      )}
    </>
  )
}
