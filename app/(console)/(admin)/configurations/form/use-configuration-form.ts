'use client'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { useToast } from '@/components/ui/toast'
import type { EditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import type { ActionError } from '@/lib/kernel/action'
import { type ConfigurationDraft, draftOf, emptyDraft } from './configuration-draft'
import { conflictOf, joined } from './conflict-of'
import { useSaveConfiguration } from './use-save-configuration'

/** What a form holds and does with it. `stored` null = a new configuration, with this model picked. */
export function useConfigurationForm(stored: EditableConfiguration | null, modelId: string) {
  const toast = useToast()
  const form = useRef<HTMLFormElement>(null)
  const [opened, setOpened] = useState(stored)
  const [draft, setDraft] = useState(() =>
    stored ? draftOf(stored.form) : { ...emptyDraft, modelId },
  )
  const [note, setNote] = useState('')
  const [typed, setTyped] = useState(false)
  const [error, setError] = useState<ActionError | null>(null)
  const [now, setNow] = useState<EditableConfiguration | null>(null)
  const { busy, saved, save } = useSaveConfiguration(opened)
  useUnsavedGuard(typed && !saved)

  const change = (part: Partial<ConfigurationDraft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setTyped(true)
    setError((before) => withoutErrorsOf(before, part))
  }
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const refused = await save(draft, note)
    if (!refused) return
    // At once, so that what is wrong is there when the focus looks for it.
    flushSync(() => {
      setError(refused.now ? null : refused.error)
      setNow(refused.now)
    })
    form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-conflict] button')?.focus()
  }
  const join = () => {
    if (!opened || !now) return
    flushSync(() => {
      setDraft(joined(opened, draft, now))
      setOpened(now)
      setNow(null)
    })
    toast({ tone: 'ok', title: 'Changes merged. Save to keep the changes of both of you.' })
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  const changeNote = (text: string) => {
    setNote(text)
    setTyped(true)
  }
  return {
    form: { ref: form, onSubmit, noValidate: true },
    fields: { draft, errors: byField(error), onChange: change },
    note: { text: note, onChange: changeNote },
    conflict: opened && now && { conflict: conflictOf(opened, draft, now), onJoin: join },
    error,
    busy,
  }
}

/** Keeps the error of a field until that field changes. */
function withoutErrorsOf(
  error: ActionError | null,
  part: Partial<ConfigurationDraft>,
): ActionError | null {
  if (!error?.fields) return error
  const changed = Object.keys(part).map((field) => sentAs[field] ?? field)
  const left = Object.entries(error.fields).filter(([path]) => !changed.includes(fieldOf(path)))
  return left.length === 0 ? null : { ...error, fields: Object.fromEntries(left) }
}

/** Fields that the server knows by another name. */
const sentAs: Record<string, string> = { timeLimit: 'timeLimitMs', costCap: 'costCapMicroUsd' }

/** Returns the errors by the field they are shown at. An error of one stop sequence is shown at their common field. */
function byField(error: ActionError | null): Record<string, string> {
  const entries = Object.entries(error?.fields ?? {})
  return Object.fromEntries(entries.map(([path, text]) => [fieldOf(path), text]))
}

/** "stop.0" belongs to "stop", "options.verbosity" to "verbosity". */
function fieldOf(path: string): string {
  return path.replace(/^options\./, '').split('.')[0] ?? path
}
