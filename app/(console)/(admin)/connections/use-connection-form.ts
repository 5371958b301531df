'use client'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { sendAction } from '@/components/forms/send-action'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import type { ActionError } from '@/lib/kernel/action'
import type { DraftTest } from '@/lib/probes/test-connection-draft'
import { testDraft } from './actions'
import { type ConnectionDraft, toNewConnection } from './connection-draft'
import { connectionErrors, noErrors } from './connection-errors'

type Save = (draft: ConnectionDraft) => Promise<ActionError | null>

/**
 * What both forms of a connection share: the draft, its errors, its test, and the question before the page is left.
 * `save` resolves with the error, if any.
 */
export function useConnectionForm(id: string | null, initial: ConnectionDraft, save: Save) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [base, setBase] = useState(initial)
  const [errors, setErrors] = useState(noErrors)
  const [asked, setAsked] = useState<'save' | 'test'>('save')
  const [saving, setSaving] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const probe = useDraftTest(id)
  const unsaved = !leaving && JSON.stringify(draft) !== JSON.stringify(base)
  useUnsavedGuard(unsaved)

  const show = (error: ActionError | null) => {
    // Rendered at once, so that the invalid fields are marked before one of them gets the focus.
    flushSync(() => setErrors(error ? connectionErrors(error) : noErrors))
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  const change = (part: Partial<ConnectionDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors(noErrors)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (saving || leaving) return
    setSaving(true)
    setAsked('save')
    const error = await save(draft)
    setSaving(false)
    show(error)
  }
  return {
    form,
    draft,
    errors,
    saving: saving || leaving,
    unsaved,
    change,
    submit,
    show,
    /** What was saved is the new beginning. */
    settle: (now: ConnectionDraft) => {
      setBase(now)
      setDraft(now)
    },
    /** It is saved and another page follows: a second press sends nothing. */
    leave: () => setLeaving(true),
    testing: probe.busy,
    test: async () => {
      setAsked('test')
      show(await probe.test(draft))
    },
    /** What the errors are about. */
    asked,
    found: probe.resultFor(draft),
  }
}

/** Tests the draft. The result stays until the draft changes. `id` null = the connection is not stored yet. */
function useDraftTest(id: string | null) {
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<{ draft: ConnectionDraft; test: DraftTest } | null>(null)
  const test = async (draft: ConnectionDraft): Promise<ActionError | null> => {
    setBusy(true)
    setFound(null)
    const result = await sendAction(() => testDraft({ id, ...toNewConnection(draft) }))
    setBusy(false)
    if (!result.ok) return result.error
    setFound({ draft, test: result.value })
    return null
  }
  return {
    busy,
    test,
    resultFor: (draft: ConnectionDraft) => (found?.draft === draft ? found.test : null),
  }
}
