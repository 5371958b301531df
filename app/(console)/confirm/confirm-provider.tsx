'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { confirmWith } from '@/components/forms/use-act'
import { lazyPart } from '@/components/ui/lazy-part'

const ConfirmDialog = lazyPart(async () => (await import('./confirm-dialog')).ConfirmDialog)

/** Holds the dialog in which every action below it asks for a confirmation of identity. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<{ answer: (confirmed: boolean) => void } | null>(null)
  // Actions are sent by functions that know no component.
  useEffect(
    () =>
      confirmWith(async () => {
        const proved = await new Promise<boolean>((answer) => setQuestion({ answer }))
        setQuestion(null)
        return proved
      }),
    [],
  )
  return (
    <>
      {children}
      {question && (
        <ConfirmDialog onDone={question.answer} onClose={() => question.answer(false)} />
      )}
    </>
  )
}
