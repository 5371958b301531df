'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { confirmWith } from '@/components/forms/use-act'
import { lazyPart } from '@/components/ui/lazy-part'

const ConfirmDialog = lazyPart(async () => (await import('./confirm-dialog')).ConfirmDialog)
const NobodyLeftDialog = lazyPart(
  async () => (await import('./nobody-left-dialog')).NobodyLeftDialog,
)
const BrokenCasesDialog = lazyPart(
  async () => (await import('./broken-cases-dialog')).BrokenCasesDialog,
)

type Question =
  | { type: 'identity'; answer: (confirmed: boolean) => void }
  | { type: 'nobody-left'; consequence: string; answer: (typed: string | null) => void }
  | { type: 'broken-cases'; refusal: string; answer: (reason: string | null) => void }

/** Holds the dialogs in which every action below it asks for a confirmation. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  // Actions are sent by functions that know no component.
  useEffect(() => {
    const ask = async <T,>(questionOf: (answer: (value: T) => void) => Question) => {
      const value = await new Promise<T>((answer) => setQuestion(questionOf(answer)))
      setQuestion(null)
      return value
    }
    return confirmWith({
      identity: () => ask<boolean>((answer) => ({ type: 'identity', answer })),
      nobodyLeft: (consequence) =>
        ask<string | null>((answer) => ({ type: 'nobody-left', consequence, answer })),
      brokenCases: (refusal) =>
        ask<string | null>((answer) => ({ type: 'broken-cases', refusal, answer })),
    })
  }, [])
  return (
    <>
      {children}
      {question?.type === 'identity' && (
        <ConfirmDialog onDone={question.answer} onClose={() => question.answer(false)} />
      )}
      {question?.type === 'nobody-left' && (
        <NobodyLeftDialog consequence={question.consequence} onAnswer={question.answer} />
      )}
      {question?.type === 'broken-cases' && (
        <BrokenCasesDialog refusal={question.refusal} onAnswer={question.answer} />
      )}
    </>
  )
}
