'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/kernel/action'
import { sendAction } from './send-action'
import { type Done, useDone } from './use-done'

type Words<T> = Omit<Done, 'title'> & {
  /** "Ana was not disabled." */
  failed: string
  done: string | ((value: T) => string)
}

/** Runs the action of a button without a dialog, shows a message about the result, and refreshes the page. */
export function useAct() {
  const toast = useToast()
  const tellDone = useDone()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const act = async <T>(send: () => Promise<ActionResult<T>>, words: Words<T>) => {
    const { failed, done, ...news } = words
    setBusy(true)
    const result = await sendAction(send)
    setBusy(false)
    if (!result.ok) {
      toast({ tone: 'error', title: failed, description: result.error.message })
      return
    }
    tellDone({ ...news, title: typeof done === 'string' ? done : done(result.value) })
    router.refresh()
  }
  return { busy, act }
}
