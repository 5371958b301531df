'use client'
import { useEffect, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { explainForMe } from './actions'
import type { PickableTool } from './tool-selection'

/** The tools with the verdicts that hold for this configuration. */
export type ExplainedTools = { configurationId: string | null; tools: PickableTool[] }

/**
 * The verdicts for the configuration that is picked now, asked anew when it changes and when the page was rendered
 * again. Until they are there, `tools` are the ones from before; `trouble` says why they did not come.
 */
export function useExplainedTools(initial: ExplainedTools, configurationId: string | null) {
  const [explained, setExplained] = useState(initial)
  const [trouble, setTrouble] = useState<string | null>(null)

  // Outside system: the server, which alone can say what may run.
  useEffect(() => {
    let gone = false
    if (initial.configurationId === configurationId) {
      setExplained(initial)
      setTrouble(null)
      return
    }
    void sendAction(() => explainForMe({ configuration: configurationId })).then((result) => {
      if (gone) return
      if (result.ok) setExplained({ configurationId, tools: result.value })
      setTrouble(result.ok ? null : result.error.message)
    })
    return () => {
      gone = true
    }
  }, [initial, configurationId])

  const pending = explained.configurationId !== configurationId && trouble === null
  return { tools: explained.tools, pending, trouble }
}
