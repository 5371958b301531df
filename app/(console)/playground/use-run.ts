'use client'
import { useCallback, useState } from 'react'
import { useFreezeCheck } from '@/components/shell/freeze-watch'
import { initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { checkRunDraft, type RunDraft, toInput } from './run-draft'
import type { PickableTool } from './tool-selection'
import { useStartRun } from './use-start-run'

/** `draft`: what the run was started with; null = it was not started on this page. */
type Shown = { runId: string; state: RunState; draft: RunDraft | null }

/** Holds the run that is shown. `check` returns what is wrong with a draft; `submit` starts it where nothing is. */
export function useRun(
  joined: { runId: string; state: RunState } | null,
  {
    given,
    tools,
    onStarted,
  }: {
    given: RunDraft | null
    tools: PickableTool[]
    onStarted: (runId: string, draft: RunDraft) => void
  },
) {
  const [run, setRun] = useState<Shown | null>(joined && { ...joined, draft: given })
  const [running, setRunning] = useState(joined !== null && joined.state.end === null)
  const checkFreeze = useFreezeCheck()
  const onEnd = useCallback(() => {
    setRunning(false)
    checkFreeze()
  }, [checkFreeze])
  const { start, setErrors, ...starting } = useStartRun((runId, draft) => {
    setRun({ runId, state: initialRunState, draft })
    setRunning(true)
    window.history.replaceState(null, '', `/playground?run=${runId}`)
    onStarted(runId, draft)
  })
  const check = (draft: RunDraft, most: number) => {
    const found = checkRunDraft(draft, most)
    setErrors(found)
    return found
  }
  const submit = (draft: RunDraft, most: number) => {
    if (running) return {}
    const found = check(draft, most)
    if (Object.keys(found).length === 0) void start(toInput(draft, tools), draft)
    return found
  }
  return { run, running, check, submit, onEnd, ...starting }
}
