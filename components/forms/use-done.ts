'use client'
import { useRouter } from 'next/navigation'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/kernel/action'
import { sendAction } from './send-action'

export type Done = {
  title: string
  /** Restores the state before the change; offered in the message. */
  undo?: () => Promise<ActionResult<unknown>>
  /** What the message is about. A newer message about the same thing replaces it with its outdated Undo. */
  about?: string
}

/** Says that something worked and offers to undo it. */
export function useDone(): (done: Done) => void {
  const toast = useToast()
  const router = useRouter()
  const undoIt = async (undo: NonNullable<Done['undo']>, about: { about?: string }) => {
    const result = await sendAction(undo)
    if (result.ok) toast({ tone: 'ok', title: 'Undone', ...about })
    else
      toast({
        tone: 'error',
        title: 'The change was not undone',
        description: result.error.message,
      })
    router.refresh()
  }
  return ({ title, undo, about: thing }) => {
    const about = thing === undefined ? {} : { about: thing }
    const action = undo && { label: 'Undo', onClick: () => void undoIt(undo, about) }
    toast({ tone: 'ok', title, ...about, ...(action && { action }) })
  }
}
