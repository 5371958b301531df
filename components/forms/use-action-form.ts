'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/next/action'
import { useUnsavedGuard } from './may-leave'
import { sendAction } from './use-act'

export type ActionFormOptions<V extends FieldValues, T> = {
  /** The first values of the fields, by their names; none of them is undefined. */
  values: V
  /**
   * Checks the fields or opens a question before anything is sent. Returns an error, or true = a question is open,
   * whose answer calls `sendNow`.
   */
  ask?: (values: V) => Promise<ActionError | boolean>
  /** Returns the other fields that change with a change of the fields. */
  adjust?: (now: V, before: V) => Partial<V>
  /** Sends the values of the fields. */
  send: (values: V) => Promise<ActionResult<T>>
  /** The message that it worked. Then the page is refreshed, or `next` is opened. */
  done?: string | ((value: T, sent: V) => string)
  /** The second line of the message. */
  details?: (value: T) => string
  /** The address of the next page. The form stays busy until it is shown, so that a second press sends nothing. */
  next?: (value: T) => string
  /** True when something other than `next` opens another page. */
  leaves?: boolean
  /**
   * True = the form has a `useFilledFrom`. After a conflict the page is refreshed, so that it can say who saved first.
   */
  isShared?: boolean
  /** True = leaving the page does not ask, such as for a sign-in. */
  isFleeting?: boolean
  onDone?: (value: T, sent: V) => void
  /** Returns the values of the fields after saving; left out = what was sent. */
  saved?: (sent: V) => V
  /** Returns the name of the field at which an error of the server is shown; left out = the server's own name. */
  fieldOf?: (path: string) => string
  /** The field whose text is selected after an error of no field, to be typed again. */
  retry?: Path<V>
  /** The prefix of the ids of the fields; left out = a generated one. */
  id?: string
}

export type ActionForm<V extends FieldValues> = UseFormReturn<V> & {
  id: string
  element: React.RefObject<HTMLFormElement | null>
  submit: (event?: FormEvent) => Promise<void>
  /** Sends the values of the fields with these changes, without `ask`. Resolves with the error, if any. */
  sendNow: (part: Partial<V>) => Promise<ActionError | null>
  /** Shows an error of another action, such as a test of the same fields. */
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
export function useActionForm<V extends FieldValues, T>(
  options: ActionFormOptions<V, T>,
): ActionForm<V> {
  const ownId = useId()
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<V>({
    defaultValues: options.values as DefaultValues<V>,
    shouldFocusError: false,
  })
  const { isDirty } = form.formState
  const { failure, refuse, refuseMissing, forget } = useErrors(form, element, options)
  const [state, setState] = useState<'editing' | 'sending' | 'leaving'>('editing')
  const isSending = useRef(false)
  const router = useRouter()
  const finish = useFinish(options)
  const unsaved = isDirty && state !== 'leaving'
  useUnsavedGuard(unsaved && !options.isFleeting)

  const send = async (sent: V): Promise<ActionError | null> => {
    isSending.current = true
    setState('sending')
    const result = await sendAction(() => options.send(sent))
    isSending.current = false
    if (!result.ok) {
      setState('editing')
      refuse(result.error)
      if (options.isShared && result.error.code === 'conflict') router.refresh()
      return result.error
    }
    // Rendered at once, so that the guard does not ask when the next page opens.
    flushSync(() => {
      settle(form, sent, options.saved?.(sent) ?? sent)
      setState(options.next || options.leaves ? 'leaving' : 'editing')
    })
    finish(result.value, sent)
    return null
  }
  const askFirst = async (values: V) => {
    if (!options.ask) return false
    isSending.current = true
    setState('sending')
    const request = await options.ask(values)
    isSending.current = false
    setState('editing')
    if (typeof request === 'object') refuse(request)
    return request !== false
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    // A dialog may be rendered inside another form, which must not be sent.
    event?.stopPropagation()
    if (isSending.current || state === 'leaving') return
    forget()
    const valid = async (values: V) => {
      if (!(await askFirst(values))) await send(values)
    }
    await form.handleSubmit(valid, refuseMissing)()
  }
  const sendNow = async (part: Partial<V>) =>
    isSending.current ? null : send({ ...structuredClone(form.getValues()), ...part })
  return {
    ...form,
    id: options.id ?? ownId,
    element,
    submit,
    sendNow,
    refuse,
    busy: state !== 'editing',
    unsaved,
    failure,
    change: (part) => changeFields(form, part, options.adjust),
  }
}

/** Holds the error of no field, and shows what the server refused. */
function useErrors<V extends FieldValues, T>(
  form: UseFormReturn<V>,
  element: React.RefObject<HTMLFormElement | null>,
  { fieldOf, retry }: ActionFormOptions<V, T>,
) {
  const [failure, setFailure] = useState<string | null>(null)
  const refuse = ({ message, fields }: ActionError) => {
    const wrong = Object.entries(fields ?? {}).map(
      ([path, text]) => [fieldOf?.(path) ?? path, text] as const,
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
    if (retry && !fields) select(element.current, retry)
    // The form has no field for this error, so it is shown for the whole form.
    if (fields && !found) setFailure(Object.values(fields)[0] ?? message)
  }
  const forget = () => {
    form.clearErrors()
    setFailure(null)
  }
  const refuseMissing = (errors: FieldErrors<V>) => {
    const missing = Object.entries(errors).map(([name, error]) => [name, String(error?.message)])
    refuse({ code: 'invalid-input', message: '', fields: Object.fromEntries(missing) })
  }
  return { failure, refuse, refuseMissing, forget }
}

/** Changes several fields, and those that `adjust` changes with them. */
function changeFields<V extends FieldValues>(
  form: UseFormReturn<V>,
  part: Partial<V>,
  adjust: ActionFormOptions<V, unknown>['adjust'],
): void {
  const set = (values: Partial<V>) => {
    for (const [name, value] of Object.entries(values)) {
      form.clearErrors(name as Path<V>)
      form.setValue(name as Path<V>, value, { shouldDirty: true })
    }
  }
  const before = adjust && structuredClone(form.getValues())
  set(part)
  if (adjust && before) set(adjust(form.getValues(), before))
}

/** Returns a function that says that it worked, and opens the next page or refreshes this one. */
function useFinish<V extends FieldValues, T>({
  done,
  details,
  next,
  onDone,
}: ActionFormOptions<V, T>) {
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

/** Makes the saved values the new initial ones. What was typed after they were sent stays, as unsaved. */
function settle<V extends FieldValues>(form: UseFormReturn<V>, sent: V, stored: V): void {
  const now = form.getValues()
  form.reset(stored, { keepValues: true })
  for (const [name, value] of Object.entries(stored)) {
    if (same(value, sent[name]) || !same(now[name], sent[name])) continue
    form.setValue(name as Path<V>, value, { shouldDirty: true })
  }
}

/** Focuses the first invalid field, or the button that resolves a conflict; false = there is none. */
function focusFirstError(element: HTMLFormElement | null): boolean {
  const first = element?.querySelector<HTMLElement>('[aria-invalid=true], [data-conflict] button')
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
  /** A number that grows with each change of the row. */
  versionOf: (stored: S) => string | number
  valuesOf: (stored: S) => V
}

/**
 * Holds the row that a form was filled from, on which the next save is based. A newer row, such as a colleague's
 * change, fills the form again if nothing was typed; otherwise there is a `conflict`, until the person keeps what was
 * typed or takes what is stored.
 */
export function useFilledFrom<S, V extends FieldValues>(
  form: ActionForm<V>,
  { stored, versionOf, valuesOf }: Stored<S, V>,
) {
  const [base, setBase] = useState(stored)
  const isNewer = versionOf(stored) > versionOf(base)
  const take = () => {
    setBase(stored)
    form.reset(valuesOf(stored))
  }
  // External system: the fields of the form, which keep their own values.
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

/** Returns whether two values of fields are the same, lists and objects included. */
function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
