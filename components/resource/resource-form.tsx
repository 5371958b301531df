'use client'
import type { Values } from '@toolgate/server/edge/resource-values'
import { Pencil, Plus } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { MoreMenu } from '@/components/ui/more-menu'
import type { TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import type { ActionResult } from '@/lib/next/action'
import { pathOf, wordsOf } from '@/lib/protocol/nouns'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'
import { reasonField } from '@/lib/shape/reason-words'
import type {
  AnyResource,
  Definition,
  ListingOf,
  Resource,
  ResourceFields,
} from '@/lib/shape/resource'
import { calledOf, untyped } from '@/lib/shape/resource'
import { hasField } from '@/lib/shape/resource-parts'
import { visibleText } from '@/lib/words/clean-text'
import { firstValues, idOf, valuesToSend } from './form-values'
import { PersonField } from './person-field'
import { useDeletion } from './use-deletion'

/** Objects that the form can refer to, and the person who fills it in. */
export type ReferenceChoices = {
  me: { id: string; email: string }
  configurations?: readonly { id: string; name: string }[]
  tasks?: readonly { id: string; name: string; variables: TaskVariable[] }[]
  groups?: readonly { id: string; name: string }[]
  apiKeys?: readonly { id: string; name: string }[]
}

type Send<I> = (input: I) => Promise<ActionResult<unknown>>
type WithReason = { reason?: string | undefined }

/** Actions and words of one resource for its forms. */
export type FormSpec<D extends Definition> = {
  add: Send<z.input<Resource<D>['Create']> & WithReason>
  change: Send<z.input<Resource<D>['Update']> & WithReason>
  remove: Send<{ id: string } & WithReason>
  /** Above the fields. */
  description?: ReactNode
  /** Effect of a deletion on others. */
  removal: ReactNode
  /** Returns the first values of the form for a new object, as typed; left out: the default values of the fields. */
  start?: () => Values
  /** Content below a field that follows the typed values, such as a preview, by the name of the field. */
  below?: Readonly<Record<string, (typed: Values) => ReactNode>>
  /** The controls of fields that have one of their own, which follow what is typed, by the names of the fields. */
  own?: Readonly<Record<string, (typed: Values, choices: ReferenceChoices) => ReactNode>>
  /** Returns the fields that are not asked for with what is typed, each with the value that it has then. */
  settled?: (typed: Values) => Values
  /** Returns what is sent of the values; left out: all of them. */
  fitting?: (values: Values, choices: ReferenceChoices) => Values
  /** True = the page of a new object opens, because more is to be said there. */
  opensPage?: boolean
}

type AnySpec = Omit<FormSpec<Definition>, 'add' | 'change'> & Record<'add' | 'change', Send<never>>

type Given<D extends Definition> = {
  resource: Resource<D>
  spec: FormSpec<D>
  choices: ReferenceChoices
}

type Props = {
  resource: AnyResource
  spec: AnySpec
  choices: ReferenceChoices
  /** The object that is edited; null = a new one. */
  stored: Values | null
  onClose: () => void
}

/** Shows the button that adds an object of a resource, with its form. */
export function NewResourceButton<D extends Definition>(given: Given<D>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add {wordsOf(given.resource).one}
      </Button>
      {open && <NewResourceForm {...given} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shows the form of a new object. */
export function NewResourceForm<D extends Definition>({
  resource,
  ...props
}: Given<D> & { onClose: () => void }) {
  return <ResourceForm {...props} resource={untyped(resource)} stored={null} />
}

/** Shows the form of an object with other values than the stored ones, which whoever saves it sees before. */
export function ChangedResourceForm<D extends Definition>({
  resource,
  stored,
  values,
  ...props
}: Given<D> & { stored: ListingOf<Resource<D>>; values: Values; onClose: () => void }) {
  return <ResourceForm {...props} resource={untyped(resource)} stored={{ ...stored, ...values }} />
}

/** Shows the button that edits an object and the menu that deletes it, on its page. `form`: its own form, where the usual one serves less. */
export function ResourceActions<D extends Definition>({
  resource: typed,
  stored: row,
  form,
  ...props
}: Given<D> & {
  stored: ListingOf<Resource<D>>
  form?: (onClose: () => void) => ReactNode
}) {
  const resource = untyped(typed)
  const stored: Values = { ...row }
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { removal: children, remove } = props.spec
  const called = { id: String(stored.id), name: calledOf(stored) }
  const deletion = useDeletion({ resource: typed, remove, children, ...called })
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil className="size-4" aria-hidden />
        Edit
      </Button>
      <MoreMenu entries={[deletion.entry]} />
      {deletion.dialog}
      {isOpen &&
        (form?.(close) ?? (
          <ResourceForm {...props} resource={resource} stored={stored} onClose={close} />
        ))}
    </>
  )
}

/**
 * Shows the form of an object, a new one or one that exists: a control for each field that can be set. Lists in which each
 * entry is on or off have a control on the page.
 */
function ResourceForm({ resource, spec, choices, stored: given, onClose }: Props) {
  const { fields } = resource
  const { one } = wordsOf(resource)
  // After a refresh, what is typed still belongs to the version that the form was filled from.
  const [stored] = useState(given)
  const request = Object.entries(fields).filter(
    ([, field]) =>
      field.kind !== 'switch' &&
      !(stored && field.isFixed) &&
      !(field.kind === 'reference' && field.isSwitched),
  )
  const plain: ResourceFields = Object.fromEntries(request)
  const isAsked = ([each, field]: [string, ResourceField], typed: Values) =>
    hasField(field, { ...stored, ...typed }) && !(each in (spec.settled?.(typed) ?? {}))
  const name = stored ? visibleText(calledOf(stored)) : ''
  const form = useActionForm<Record<string, unknown>, unknown>({
    values: { ...firstValues(plain, stored, choices, spec.start), reason: '' },
    send: ({ reason, ...typed }) => {
      const shown = Object.fromEntries(request.filter((each) => isAsked(each, typed)))
      const settled = spec.settled?.(typed)
      const read = { ...valuesToSend(shown, typed, stored !== null), ...settled, reason }
      const values = spec.fitting?.(read, choices) ?? read
      if (!stored) return sent(spec.add, values)
      return sent(spec.change, { id: stored.id, updatedAt: stored.updatedAt, ...values })
    },
    done: stored ? `Saved ${name}` : `Added the ${one}`,
    ...(spec.opensPage && !stored
      ? { next: (added) => `${pathOf(resource)}/${idOf(added)}` }
      : { onDone: onClose }),
  })
  const values = form.watch()
  return (
    <FormDialog
      form={form}
      title={stored ? `Edit ${name}` : `Add ${one}`}
      description={spec.description}
      button={stored ? 'Save' : `Add ${one}`}
      failed={stored ? `The ${one} was not saved` : `The ${one} was not added`}
      onClose={onClose}
    >
      {request.map(([each, field]) =>
        isAsked([each, field], values) ? (
          <Fragment key={each}>
            {spec.own?.[each]?.(values, choices)}
            <AnyField name={each} field={field} choices={choices} stored={stored} />
            <Below>{spec.below?.[each]?.(values)}</Below>
          </Fragment>
        ) : null,
      )}
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}

/** Shows what follows a typed value, which a screen reader says, too. */
function Below({ children }: { children: ReactNode }) {
  if (children === undefined) return null
  return (
    <div role="status" className="-mt-2 text-muted text-sm">
      {children}
    </div>
  )
}

/** Sends values to an operation, which checks them: its schema is made of the same fields. */
function sent(send: Send<never>, input: Values): Promise<ActionResult<unknown>> {
  return send(input as never)
}

type AnyFieldProps = {
  name: string
  field: ResourceField
  choices: ReferenceChoices
  stored: Values | null
}

function AnyField({ name, field, choices, stored }: AnyFieldProps) {
  if (field.kind === 'switch' || field.kind === 'own') return null
  if (field.kind !== 'reference') {
    const isKept = stored && field.isSecret && isStored(name, stored)
    // A switched-off object may lack a secret, and some fields are required by the value of others: the server decides.
    const { required: _, ...rest } = field
    const depends = field.requiredBeside !== undefined || field.requiredOf !== undefined
    const mayMiss = (stored && field.isSecret) || depends
    const hint = isKept ? { hint: 'Leave empty to keep the stored one.' } : {}
    return <FormField name={name} shape={mayMiss ? rest : field} {...hint} />
  }
  if (field.to === 'user') {
    const chosen = { ...Object(stored?.[field.as]) }
    return <PersonField name={name} field={field} me={choices.me} first={chosen} />
  }
  const found = choicesFor(field, choices) ?? []
  const options = found.map((each) => ({ value: each.id, label: visibleText(each.name) }))
  // A chosen object stays in the list, also when it is switched off.
  const has = { ...Object(stored?.[field.as]) }
  if (!field.isMany && has.id && !found.some(({ id }) => id === has.id))
    options.push({ value: has.id, label: visibleText(String(has.name)) })
  const { label, hint, placeholder = 'Pick one' } = field
  if (field.isMany) {
    const none = `There are no ${field.to}s yet.`
    const words = options.length === 0 ? none : hint
    const shape = { kind: 'checkboxes', label, choices: options, isColumn: true } as const
    return <FormField name={name} shape={shape} {...(words && { hint: words })} />
  }
  const mayBeNone = field.schema.safeParse(null).success
  return (
    <FormField
      name={name}
      shape={{
        kind: 'select',
        label,
        search: `Search ${field.to === 'api-key' ? 'API key' : field.to}s`,
        choices: mayBeNone
          ? [{ value: null, label: field.none ? `None: ${field.none}` : 'None' }, ...options]
          : options,
        ...(hint && { hint }),
        placeholder: options.length === 0 ? 'None yet' : placeholder,
      }}
    />
  )
}

function choicesFor({ to }: Reference, choices: ReferenceChoices) {
  const { tasks, groups, apiKeys, configurations } = choices
  if (to === 'task') return tasks
  if (to === 'api-key') return apiKeys
  return to === 'group' ? groups : configurations
}

function isStored(name: string, { secrets }: Values): boolean {
  return Array.isArray(secrets) && secrets.includes(name)
}
