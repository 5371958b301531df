'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RunObstacle } from '@toolgate/server/runs/start/run-obstacle'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { idempotencyKeys } from '@/components/forms/idempotency-keys'
import { reading, readThrough } from '@/components/shell/queries'
import type { ActionError } from '@/lib/next/action'
import { readRunObstacle, runPrompt, runTaskPanel } from './actions'
import { panelInput, type RunDraft, type RunDraftErrors, type toInput } from './run-draft'
import { useSentStart } from './use-sent-start'

type Input = ReturnType<typeof toInput>

/**
 * Starts one run at a time; asking again while it is being started does nothing. A task that is a panel opens the page of
 * its panel.
 */
export function useStartRun(onStarted: (runId: string, draft: RunDraft) => void) {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<RunDraftErrors>({})
  const underWay = useRef(false)
  const [keys] = useState(idempotencyKeys)
  const router = useRouter()
  const sent = useSentStart()

  const start = async (input: Input, draft: RunDraft) => {
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setErrors({})
    try {
      const idempotencyKey = keys.keyFor(JSON.stringify(input))
      sent.sending(idempotencyKey, draft.task?.name ?? draft.prompt)
      const { panel = null } = draft.task ?? {}
      const result = await (panel === null
        ? runPrompt({ ...input, idempotencyKey })
        : runTaskPanel({ ...panelInput(draft), idempotencyKey }))
      sent.answered()
      if (!result.ok && !sent.isThere()) return sent.refused(result.error.message)
      if (!result.ok) return setErrors(errorsOf(result.error))
      keys.started()
      const { runId, panelId = null } = { panelId: null, ...result.value }
      if (!sent.isThere())
        return sent.started(panelId === null ? `/runs/${runId}` : `/runs/panels/${panelId}`)
      if (panelId !== null) router.push(`/runs/panels/${panelId}`)
      else if (runId !== null) onStarted(runId, draft)
    } catch {
      const message = 'The server cannot be reached. Try again.'
      sent.unanswered()
      if (!sent.isThere()) return sent.refused(message)
      setErrors({ general: { message, signIn: false } })
    } finally {
      underWay.current = false
      setBusy(false)
    }
  }
  return { start, busy, errors, setErrors }
}

function errorsOf({ code, message, fields = {} }: ActionError): RunDraftErrors {
  const { configuration, prompt, maxRounds, costCap, outputSchema, files } = fields
  const own = { configuration, prompt, maxRounds, costCap, outputSchema, files }
  const found = {
    ...own,
    variables: errorsBelow('variables', fields),
    changes: errorsBelow('overrides', fields),
  }
  if (Object.values(found).some(Boolean)) return found
  return { general: { message: fields.continues ?? message, signIn: code === 'unauthenticated' } }
}

/** Returns the errors of the fields below one; undefined when there are none. */
function errorsBelow(
  parent: 'variables' | 'overrides',
  fields: Record<string, string>,
): Record<string, string> | undefined {
  const prefix = `${parent}.`
  const found = Object.entries(fields)
    .filter(([field]) => field.startsWith(prefix))
    .map(([field, sentence]) => [field.slice(prefix.length), sentence])
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

type Picked = { configuration: string | null; task: string | null }
/** The server's answer, with the configuration and task that it is about. */
export type KnownObstacle = Picked & { obstacle: RunObstacle | null }

const keyOf = ({ configuration, task }: Picked) => ['run obstacle', configuration, task]

/**
 * Returns what keeps a run from starting now; null = nothing, or not known. Begins with `initial` from the rendered
 * page, and asks the server again after another pick, after a run, when people return to the page, and at intervals.
 */
export function useRunObstacle(initial: KnownObstacle, picked: Picked, running: boolean) {
  const client = useQueryClient()
  const { configuration, task } = picked
  const isAbout = initial.configuration === configuration && initial.task === task
  const { data, refetch } = useQuery({
    queryKey: keyOf(picked),
    queryFn: () => readThrough(() => readRunObstacle({ configuration, task })),
    initialData: isAbout ? initial.obstacle : undefined,
    enabled: !running,
    ...reading(15_000),
  })
  // External system: the server, which rendered the page again. Its answer is newer.
  useEffect(() => {
    client.setQueryData(keyOf(initial), initial.obstacle)
  }, [client, initial])
  return { obstacle: data ?? null, look: () => void refetch() }
}
