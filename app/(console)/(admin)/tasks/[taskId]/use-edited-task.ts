'use client'
import { useState } from 'react'
import type { TaskDraft } from '../task-draft'

type Stored = { version: number; stored: TaskDraft }

/**
 * Holds the form of a task and the version it was filled from. A newer version, such as a restored one or a
 * colleague's, fills the form again if nothing was typed; otherwise it is `newer`, until `keepMine` or `takeNewer`
 * decides.
 */
export function useEditedTask({ version, stored }: Stored) {
  const [base, setBase] = useState({ version, stored, fills: 0 })
  const [draft, setDraft] = useState(stored)
  const [note, setNote] = useState('')
  const changed = note !== '' || JSON.stringify(draft) !== JSON.stringify(base.stored)
  const takeNewer = () => {
    setBase({ version, stored, fills: base.fills + 1 })
    setDraft(stored)
    setNote('')
  }
  const isNewer = version > base.version
  if (isNewer && !changed) takeNewer()
  return {
    /** Changes when the form is filled again, which makes earlier errors void. */
    fills: base.fills,
    /** The version that the next save is based on. */
    version: base.version,
    draft,
    note,
    changed,
    setDraft,
    setNote,
    newer: isNewer ? version : null,
    takeNewer,
    /** Keeps what was typed, and bases the next save on the newer version. */
    keepMine: () => setBase({ ...base, version, stored }),
    /** Called after a save. `sent` is stored now; what was typed since stays. */
    settle: (saved: number, sent: TaskDraft) => {
      setBase({ ...base, version: saved, stored: sent })
      setNote('')
    },
  }
}
