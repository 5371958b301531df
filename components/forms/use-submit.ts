'use client'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { sendAction } from './send-action'
import { useUnsavedGuard } from './use-unsaved-guard'

type Submit<T> = {
  /** Sends what the fields hold, by their names. */
  send: (text: (field: string) => string) => Promise<ActionResult<T>>
  onDone: (value: T, form: HTMLFormElement) => void
  /** True when something other than the named fields was changed. */
  changed?: boolean
  /**
   * True when another page follows. The button then stays busy until it is shown, so that a second press sends nothing.
   */
  leaves?: boolean
}

/**
 * For a form that is sent as a whole: spread `form` onto it. What was typed stays when it is refused, the first field
 * that is wrong gets the focus (mark it with `aria-invalid`), and leaving the page asks first while something is unsaved.
 */
export function useSubmit<T>({ send, onDone, changed = false, leaves = false }: Submit<T>) {
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const [typed, setTyped] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const unsaved = (typed || changed) && !leaving
  useUnsavedGuard(unsaved)
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    setBusy(true)
    const result = await sendAction(() => send((field) => String(data.get(field) ?? '')))
    setBusy(false)
    if (result.ok) {
      setError(null)
      setTyped(false)
      setLeaving(leaves)
      onDone(result.value, form)
      return
    }
    // Rendered at once, so that the invalid fields are marked before one of them gets the focus.
    flushSync(() => setError(result.error))
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  const form = { onSubmit, onChange: () => setTyped(true), noValidate: true }
  return { form, busy: busy || leaving, unsaved, error, fields: error?.fields ?? {} }
}
