'use client'
import { useEffect, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { explainForMe } from './actions'
import type { PickableTool } from './tool-selection'

/** The tools with their verdicts for this configuration and task. */
export type ExplainedTools = Asked & { tools: PickableTool[] }
type Asked = { configurationId: string | null; taskId: string | null }

/**
 * Returns the tools with the verdicts for the current pick. Reads them again when the pick changes and when the page is
 * rendered again. Until then `tools` are the earlier ones; `problem` says why reading failed.
 */
export function useExplainedTools(initial: ExplainedTools, { configurationId, taskId }: Asked) {
  const [explained, setExplained] = useState(initial)
  const [problem, setProblem] = useState<string | null>(null)

  // External system: the server, which decides what may run.
  useEffect(() => {
    let gone = false
    if (isAbout(initial, { configurationId, taskId })) {
      setExplained(initial)
      setProblem(null)
      return
    }
    const input = { configuration: configurationId, task: taskId }
    void sendAction(() => explainForMe(input)).then((result) => {
      if (gone) return
      if (result.ok) setExplained({ configurationId, taskId, tools: result.value })
      setProblem(result.ok ? null : result.error.message)
    })
    return () => {
      gone = true
    }
  }, [initial, configurationId, taskId])

  const pending = !isAbout(explained, { configurationId, taskId }) && problem === null
  return { tools: explained.tools, pending, problem }
}

function isAbout(explained: ExplainedTools, { configurationId, taskId }: Asked): boolean {
  return explained.configurationId === configurationId && explained.taskId === taskId
}
