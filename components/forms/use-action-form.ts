'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { sendAction } from './send-action'
import { useUnsavedGuard } from './use-unsaved-guard'

type Options<V extends FieldValues, T> = {
  /** What the fields hold at first, by their names; none of them is undefined. */
  values: V
  /** Sends what the fields hold. */
  send: (values: V) => Promise<ActionResult<T>>
  /** The message that it worked. The page is read anew then, or `next` follows. */
  done?: string | ((value: T, sent: V) => string)
  /** What else the message says. */
  details?: (value: T) => string
  /** The address of the page that follows. The form stays busy until it is shown, so that a second press sends nothing. */
  next?: (value: T) => string
  /** True when something other than `next` leads to another page. */
  leaves?: boolean
  /** True = leaving the page does not ask, such as for a sign-in. */
  isFleeting?: boolean
  onDone?: (value: T, sent: V) => void
  /** What the fields hold once it is saved; left out = what was sent. */
  saved?: (sent: V) => V
  /** Returns the name of the field at which an error of the server is shown; left out = the server's own name. */
  fieldOf?: (path: string) => string
  /** The field that is selected after an error of no field, to be typed anew. */
  retry?: Path<V>
  /** Begins the ids of the fields; left out = an id of its own. */
  id?: string
}

export type ActionForm<V extends FieldValues> = UseFormReturn<V> & {
  id: string
  element: React.RefObject<HTMLFormElement | null>
  submit: (event?: FormEvent) => Promise<void>
  /** Shows an error that another action found, such as a test of the same fields. */
  refuse: (error: ActionError) => void
  busy: boolean
  unsaved: boolean
  /** The error that belongs to no field. */
  failure: string | null
  /** Changes several fields at once, and drops their errors. */
  change: (part: Partial<V>) => void
}

/**
 * Holds a form that is sent as a whole by an action. What was typed stays when it is refused, errors of the server are
 * shown beside their fields and leave with the next change of the field, the first one gets the focus, and leaving the
 * page asks first while something is unsaved.
 */
export function useActionForm<V extends FieldValues, T>(options: Options<V, T>): ActionForm<V> {
  const ownId = useId()
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<V>({
    defaultValues: options.values as DefaultValues<V>,
    shouldFocusError: false,
  })
  const { isDirty } = form.formState
  const [failure, setFailure] = useState<string | null>(null)
  const [state, setState] = useState<'editing' | 'sending' | 'leaving'>('editing')
  const isSending = useRef(false)
  const finish = useFinish(options)
  const unsaved = isDirty && state !== 'leaving'
  useUnsavedGuard(unsaved && !options.isFleeting)

  const refuse = ({ message, fields }: ActionError) => {
    const wrong = Object.entries(fields ?? {}).map(
      ([path, text]) => [options.fieldOf?.(path) ?? path, text] as const,
    )
    // Rendered at once, so that the invalid fields are marked before one of them gets the focus.
    flushSync(() => {
      form.clearErrors()
      setFailure(fields ? (wrong.find(([name]) => name === '')?.[1] ?? null) : message)
      for (const [name, text] of wrong) {
        if (name !== '') form.setError(name as Path<V>, { type: 'server', message: text })
      }
    })
    const found = focusFirstError(element.current)
    if (options.retry && !fields) select(element.current, options.retry)
    // An error of something that the form does not ask for belongs to the whole.
    if (fields && !found) setFailure(Object.values(fields)[0] ?? message)
  }
  const send = async (sent: V) => {
    isSending.current = true
    setState('sending')
    const result = await sendAction(() => options.send(sent))
    isSending.current = false
    if (!result.ok) {
      setState('editing')
      return refuse(result.error)
    }
    // Rendered at once, so that nothing asks any more when the page is left.
    flushSync(() => {
      settle(form, sent, options.saved?.(sent) ?? sent)
      setState(options.next || options.leaves ? 'leaving' : 'editing')
    })
    finish(result.value, sent)
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    // A dialog may be rendered inside another form, which must not be sent.
    event?.stopPropagation()
    if (isSending.current || state === 'leaving') return
    form.clearErrors()
    setFailure(null)
    await form.handleSubmit(send, (errors) => {
      const missing = Object.entries(errors).map(([name, error]) => [name, String(error?.message)])
      refuse({ code: 'invalid-input', message: '', fields: Object.fromEntries(missing) })
    })()
  }
  const change = (part: Partial<V>) => {
    for (const [name, value] of Object.entries(part)) {
      form.clearErrors(name as Path<V>)
      form.setValue(name as Path<V>, value, { shouldDirty: true })
    }
  }
  const id = options.id ?? ownId
  return {
    ...form,
    id,
    element,
    submit,
    refuse,
    busy: state !== 'editing',
    unsaved,
    failure,
    change,
  }
}

/** Says that it worked, and shows what follows. */
function useFinish<V extends FieldValues, T>({ done, details, next, onDone }: Options<V, T>) {
  const router = useRouter()
  const toast = useToast()
  return (value: T, sent: V) => {
    const title = typeof done === 'function' ? done(value, sent) : done
    if (title !== undefined) toast({ tone: 'ok', title, description: details?.(value) })
    onDone?.(value, sent)
    if (next) router.push(next(value))
    else if (title !== undefined) router.refresh()
  }
}

/** Makes what is stored the new beginning. What was typed after it was sent stays, as unsaved. */
function settle<V extends FieldValues>(form: UseFormReturn<V>, sent: V, stored: V): void {
  const now = form.getValues()
  form.reset(stored, { keepValues: true })
  for (const [name, value] of Object.entries(stored)) {
    if (same(value, sent[name]) || !same(now[name], sent[name])) continue
    form.setValue(name as Path<V>, value, { shouldDirty: true })
  }
}

/** Focuses the first field that is marked as wrong; false = there is none. */
function focusFirstError(element: HTMLFormElement | null): boolean {
  const first = element?.querySelector<HTMLElement>('[aria-invalid=true]')
  first?.focus()
  return Boolean(first)
}

function select(element: HTMLFormElement | null, name: string): void {
  const field = element?.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.select()
}

type Stored<S, V extends FieldValues> = {
  /** The row as it is stored now. */
  stored: S
  /** Tells two states of the row apart. */
  versionOf: (stored: S) => string | number
  valuesOf: (stored: S) => V
}

/**
 * Holds the row that a form was filled from, on which the next save is based. A newer row, such as a colleague's change,
 * fills the form again if nothing was typed; otherwise there is a `conflict`, until the person keeps what was typed or
 * takes what is stored.
 */
export function useFilledFrom<S, V extends FieldValues>(
  form: ActionForm<V>,
  { stored, versionOf, valuesOf }: Stored<S, V>,
) {
  const [base, setBase] = useState(stored)
  const isNewer = versionOf(stored) !== versionOf(base)
  const take = () => {
    setBase(stored)
    form.reset(valuesOf(stored))
  }
  // Outside system: the fields of the form, which keep their own values.
  useEffect(() => {
    if (isNewer && !form.unsaved) take()
  })
  const decide = (how: () => void) => {
    flushSync(how)
    form.element.current?.querySelector('input')?.focus()
  }
  const conflict = {
    onKeep: () => decide(() => setBase(stored)),
    onTake: () => decide(take),
  }
  return { base, setBase, conflict: isNewer && form.unsaved ? conflict : null }
}

/** Whether two values of fields are the same, lists and objects included. */
function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
