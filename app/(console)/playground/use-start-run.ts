'use client'
import { useRef, useState } from 'react'
import type { ActionError } from '@/lib/action'
import { runPrompt } from './actions'
import { idempotencyKeys } from './idempotency-key'
import type { WishErrors } from './run-wish'

type Input = {
  configuration: string
  prompt: string
  tools: string[] | null
  maxRounds: number | null
}

/** Starts one run at a time; asking again while it is being started does nothing. */
export function useStartRun(onStarted: (runId: string) => void) {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<WishErrors>({})
  const underWay = useRef(false)
  const [keys] = useState(idempotencyKeys)

  const start = async (input: Input) => {
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setErrors({})
    try {
      const idempotencyKey = keys.keyFor(JSON.stringify(input))
      const result = await runPrompt({ ...input, idempotencyKey })
      if (!result.ok) return setErrors(errorsOf(result.error))
      keys.granted()
      onStarted(result.value.runId)
    } catch {
      setErrors({
        general: {
          message: 'The server cannot be reached. Your prompt is kept; try again.',
          signIn: false,
        },
      })
    } finally {
      underWay.current = false
      setBusy(false)
    }
  }
  return { start, busy, errors, setErrors }
}

function errorsOf({ code, message, fields = {} }: ActionError): WishErrors {
  const { configuration, prompt, maxRounds } = fields
  if (configuration || prompt || maxRounds) return { configuration, prompt, maxRounds }
  return { general: { message, signIn: code === 'unauthenticated' } }
}
