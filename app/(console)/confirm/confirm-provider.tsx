'use client'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { ActionResult } from '@/lib/action'
import { ConfirmDialog } from './confirm-dialog'

type Confirmed = <T>(send: () => Promise<ActionResult<T>>) => Promise<ActionResult<T>>

const ConfirmContext = createContext<Confirmed>((send) => send())

/**
 * Gives a function that sends an action and, when it wants a newer proof of who somebody is, asks for it in a dialog
 * and sends the action again. Without the proof the refusal is the answer.
 */
export function useConfirmed(): Confirmed {
  return useContext(ConfirmContext)
}

/** Holds the dialog for everything below it. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<{ answer: (confirmed: boolean) => void } | null>(null)
  const confirmed = useCallback<Confirmed>(async (send) => {
    const result = await send()
    if (result.ok || result.error.code !== 'confirm-identity') return result
    const proved = await new Promise<boolean>((answer) => setQuestion({ answer }))
    setQuestion(null)
    return proved ? send() : result
  }, [])
  return (
    <ConfirmContext value={confirmed}>
      {children}
      {question && <ConfirmDialog onDone={question.answer} />}
    </ConfirmContext>
  )
}
