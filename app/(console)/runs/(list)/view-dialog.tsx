'use client'
import type { RunColumnKey, ViewQuery } from '@toolgate/server/runs/lists/view-schemas'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { createView, updateView } from '../actions'
import type { ListedView } from './open-view'

const shape = {
  kind: 'text',
  label: 'Name',
  required: 'Enter a name.',
} as const satisfies FieldShape

type Props = {
  /** The view that gets another name; null = a new one is saved. */
  renamed: ListedView | null
  name: string
  query: ViewQuery
  columns: RunColumnKey[]
  plainHref: string
  onClose: () => void
}

/** Asks for the name of a view, and saves it. */
export function ViewDialog({ renamed, name, query, columns, plainHref, onClose }: Props) {
  const form = useActionForm({
    values: { name },
    send: ({ name: typed }) =>
      renamed
        ? updateView({ id: renamed.id, name: typed })
        : createView({ name: typed, query, columns }),
    done: ({ name: saved }) => `Saved ${visibleText(saved)}`,
    onDone: onClose,
    ...(!renamed && {
      next: ({ id }: { id: string }) =>
        `${plainHref}${plainHref.includes('?') ? '&' : '?'}view=${id}`,
    }),
  })
  return (
    <FormDialog
      form={form}
      title={renamed ? `Rename ${renamed.name}` : 'Save view'}
      description={renamed ? undefined : 'Keeps filter, order and columns.'}
      button="Save"
      onClose={onClose}
    >
      <FormField name="name" shape={shape} autoFocus />
    </FormDialog>
  )
}
