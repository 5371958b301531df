'use client'
import { useState } from 'react'
import type { TaskDraft } from '../task-draft'

type Stored = { version: number; stored: TaskDraft }

/**
 * What the form of a task holds, and the version it was filled from. A newer one, such as a restore or a colleague's,
 * fills it anew while nothing was typed; otherwise it is `newer`, until `keepMine` or `takeNewer` decides.
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
    /** Another one = the form was filled anew, and what it said of the old is void. */
    fills: base.fills,
    /** What the next save was made against. */
    version: base.version,
    draft,
    note,
    changed,
    setDraft,
    setNote,
    newer: isNewer ? version : null,
    takeNewer,
    /** What was typed goes on top of the newer one. */
    keepMine: () => setBase({ ...base, version, stored }),
    /** `sent` is what is stored now; what was typed since stays. */
    settle: (saved: number, sent: TaskDraft) => {
      setBase({ ...base, version: saved, stored: sent })
      setNote('')
    },
  }
}
