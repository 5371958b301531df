'use client'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import type { ActionError } from '@/lib/action'
import type { DraftTest } from '@/lib/runs/test-connection-draft'
import { testDraft } from './actions'
import { type ConnectionDraft, toNewConnection } from './connection-draft'

/** Tests what is typed; what was found stays until something is changed. `id` null = nothing is stored yet. */
export function useDraftTest(id: string | null) {
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<{ draft: ConnectionDraft; test: DraftTest } | null>(null)
  const test = async (draft: ConnectionDraft): Promise<ActionError | null> => {
    setBusy(true)
    setFound(null)
    const result = await sendAction(() => testDraft({ id, ...toNewConnection(draft) }))
    setBusy(false)
    if (!result.ok) return result.error
    setFound({ draft, test: result.value })
    return null
  }
  return {
    busy,
    test,
    resultFor: (draft: ConnectionDraft) => (found?.draft === draft ? found.test : null),
  }
}
