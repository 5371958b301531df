'use client'
import { type ReactNode, useCallback, useState } from 'react'
import { ConfirmContext, type Confirmed } from '@/components/forms/use-act'
import { lazyPart } from '@/components/ui/lazy-part'

const ConfirmDialog = lazyPart(async () => (await import('./confirm-dialog')).ConfirmDialog)

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
      {question && (
        <ConfirmDialog onDone={question.answer} onClose={() => question.answer(false)} />
      )}
    </ConfirmContext>
  )
}
