'use client'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export type WrittenMode = 'edit' | 'deny'
export type AnswerMode = WrittenMode | 'choose'

/**
 * Whether an answer is being chosen or written. A change takes the focus along: to the field that is written in, or back
 * to the first of the buttons. `onChange` is called with each.
 */
export function useAnswerMode(onChange: () => void) {
  const form = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [mode, setMode] = useState<AnswerMode>('choose')
  const change = (next: AnswerMode) => {
    // At once, so that what gets the focus is there.
    flushSync(() => {
      setMode(next)
      onChange()
    })
    if (next !== 'choose') field.current?.focus()
    else form.current?.querySelector('button')?.focus()
    form.current?.scrollIntoView({ block: 'nearest' })
  }
  return { form, field, mode, change }
}
