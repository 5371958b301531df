'use client'
import type {
  ConnectionListing,
  ConnectionTest,
} from '@toolgate/server/domains/connections/schemas'
import { type ReactNode, useState } from 'react'
import { FormButtons } from '@/components/forms/form'
import { sendAction } from '@/components/forms/use-act'
import { type ActionFormOptions, useActionForm } from '@/components/forms/use-action-form'
import {
  type ConnectionDraft,
  fieldOf,
  toNewConnection,
  withWire,
} from '@/components/nouns/connection-draft'
import { Button } from '@/components/ui/button'
import { WaitingTime } from '@/components/ui/waiting-time'
import { longestTestMs } from '@/lib/domains/connections/shape'
import type { ActionError } from '@/lib/next/action'
import { testDraft } from './actions'
import { TestResult } from './connection-test'
import { type ZoneQuestion, zoneQuestion } from './zone-questions'

/** The draft, and how a contradicting trust zone is confirmed: a reason, and the host typed again. */
type Values = ConnectionDraft & { reason: string; confirmZone: string }

type Options<T> = Omit<ActionFormOptions<Values, T>, 'values' | 'ask'> & {
  initial: ConnectionDraft
  /** Returns the stored connection that filled the fields; left out = a new connection. */
  base?: () => ConnectionListing
  /** Returns the error of a missing field, before anything is sent; null = nothing is missing. */
  missing?: (draft: ConnectionDraft) => ActionError | null
}

export function valuesOf(draft: ConnectionDraft): Values {
  return { ...draft, reason: '', confirmZone: '' }
}

/**
 * Holds what both forms of a connection share: the form, what a change of the API type changes, the test of the draft, and
 * the question about its trust zone.
 */
export function useConnectionForm<T>(options: Options<T>) {
  const { initial, base, missing, adjust, onDone, ...rest } = options
  const [question, setQuestion] = useState<ZoneQuestion | null>(null)
  const form = useActionForm<Values, T>({
    ...rest,
    values: valuesOf(initial),
    fieldOf,
    adjust: (now, before) => {
      const wired = withWire({ ...now, wire: before.wire }, now.wire)
      return { ...wired, ...adjust?.({ ...now, ...wired }, before) }
    },
    ask: async (typed) => {
      const errorOrQuestion = missing?.(typed) ?? (await zoneQuestion(typed, base?.() ?? null))
      if (errorOrQuestion === null || 'code' in errorOrQuestion) return errorOrQuestion ?? false
      setQuestion(errorOrQuestion)
      return true
    },
    onDone: (value, sent) => {
      setQuestion(null)
      return onDone?.(value, sent)
    },
  })
  const draft = form.watch()
  const [lastAction, setLastAction] = useState<'save' | 'test'>('save')
  const [testing, setTesting] = useState(false)
  const [found, setFound] = useState<{ draft: string; test: ConnectionTest } | null>(null)
  const test = async () => {
    const tested = structuredClone(form.getValues())
    setLastAction('test')
    setTesting(true)
    setFound(null)
    const result = await sendAction(() => testDraft(toNewConnection(tested)))
    setTesting(false)
    if (!result.ok) return form.refuse(result.error)
    form.clearErrors()
    setFound({ draft: JSON.stringify(tested), test: result.value })
  }
  const submit: typeof form.submit = (event) => {
    setLastAction('save')
    return form.submit(event)
  }
  const answering = {
    onSubmit: async (reason: string, confirmZone: string) => {
      const error = await form.sendNow({ reason, confirmZone })
      // An error of another field is shown there, behind the dialog.
      if (!error?.fields || error.fields.reason) return error
      setQuestion(null)
      return null
    },
    onClose: () => setQuestion(null),
  }
  return {
    form: { ...form, submit },
    draft,
    /** The last press of a button, which the shown errors belong to. */
    lastAction,
    testing,
    test,
    /** The result of the test; null = none yet, or the draft changed since. */
    found: found?.draft === JSON.stringify(draft) ? found.test : null,
    /** The props of `ZoneDialog`; null = there is nothing to confirm. */
    question: question && { question, ...answering },
  }
}

export type ConnectionForm = ReturnType<typeof useConnectionForm>

/** Shows the end of the form of a new connection: the result of its test, the error of the whole form, and the buttons. */
export function FormEnd({
  state: { form, lastAction, found, testing, test },
  button,
  children,
}: {
  state: ConnectionForm
  button: string
  children?: ReactNode
}) {
  return (
    <>
      <div role="status">{found && <TestResult test={found} />}</div>
      <FormButtons button={button} {...(lastAction === 'test' && { failed: 'Not tested' })}>
        <Button loading={testing} disabled={form.busy} onClick={test}>
          Test
        </Button>
        {children}
        {testing && <WaitingTime atMostMs={longestTestMs} />}
      </FormButtons>
    </>
  )
}
