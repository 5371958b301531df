'use client'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { type ActionFormOptions, useActionForm } from '@/components/forms/use-action-form'
import type { DraftTest } from '@/lib/probes/test-connection-draft'
import { testDraft } from './actions'
import { type ConnectionDraft, toNewConnection, withWire } from './connection-draft'

/** The draft, with what a change of the trust zone was confirmed by. */
type Values = ConnectionDraft & { reason: string; confirmZone: string }

type Options<T> = Omit<ActionFormOptions<Values, T>, 'values'> & {
  /** Null = it is not stored yet. */
  connectionId: string | null
  initial: ConnectionDraft
}

export function valuesOf(draft: ConnectionDraft): Values {
  return { ...draft, reason: '', confirmZone: '' }
}

/** What both forms of a connection share: the form, what a change of the API type changes, and the test of the draft. */
export function useConnectionForm<T>({ connectionId, initial, adjust, ...options }: Options<T>) {
  const form = useActionForm<Values, T>({
    ...options,
    values: valuesOf(initial),
    fieldOf,
    adjust: (now, before) => {
      const wired = withWire({ ...now, wire: before.wire }, now.wire)
      return { ...wired, ...adjust?.({ ...now, ...wired }, before) }
    },
  })
  const draft = form.watch()
  const [asked, setAsked] = useState<'save' | 'test'>('save')
  const [testing, setTesting] = useState(false)
  const [found, setFound] = useState<{ draft: string; test: DraftTest } | null>(null)
  const test = async () => {
    const tested = structuredClone(form.getValues())
    setAsked('test')
    setTesting(true)
    setFound(null)
    const result = await sendAction(() =>
      testDraft({ id: connectionId, ...toNewConnection(tested) }),
    )
    setTesting(false)
    if (!result.ok) return form.refuse(result.error)
    form.clearErrors()
    setFound({ draft: JSON.stringify(tested), test: result.value })
  }
  const submit: typeof form.submit = (event) => {
    setAsked('save')
    return form.submit(event)
  }
  return {
    form: { ...form, submit },
    draft,
    /** What the errors are about. */
    asked,
    testing,
    test,
    /** What the test found, until the draft changes. */
    found: found?.draft === JSON.stringify(draft) ? found.test : null,
  }
}

export type ConnectionForm = ReturnType<typeof useConnectionForm>

/** Returns the field of an error: one of a single header is shown at the headers. */
function fieldOf(path: string): string {
  if (path.startsWith('settings.')) return path
  const [root = ''] = path.split('.')
  return sentAs[root] ?? root
}

/** Fields that the server knows by another name. A zone that is not confirmed is corrected at its field. */
const sentAs: Record<string, string> = {
  confirmZone: 'trustZone',
  connectTimeoutMs: 'connectTimeout',
  firstByteTimeoutMs: 'firstByteTimeout',
  idleTimeoutMs: 'idleTimeout',
}
