'use client'
import { ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { get, useFormState } from 'react-hook-form'
import { FormField } from '@/components/forms/form-field'
import { VisibleText } from '@/components/trace/visible-text'
import { IconButton } from '@/components/ui/icon-button'
import { choicesOf, type FieldShape } from '@/lib/shape/field-shape'
import {
  type AssertionDraft,
  assertionTypeWords,
  draftText,
  fieldsOfType,
  isShown,
} from './assertion-draft'
import { AssertionFieldControl, type JudgeChoice } from './assertion-field-control'

const typeField: FieldShape = {
  kind: 'select',
  label: 'Assertion',
  choices: choicesOf(assertionTypeWords),
  search: 'Search assertions',
}

type Props = {
  place: number
  draft: AssertionDraft
  tools: readonly string[]
  judges: readonly JudgeChoice[]
  /** It was just added, so it begins open. */
  isNew: boolean
  onRemove: () => void
}

/**
 * Shows one assertion as a line that opens to its fields, which are in the page only then: a check may have 50. An error of a
 * field opens it.
 */
export function AssertionRow({ place, draft, tools, judges, isNew, onRemove }: Props) {
  const { errors } = useFormState()
  const [isOpen, setOpen] = useState(isNew)
  const [shown, setShown] = useState(errors)
  const name = `assertions.${place}`
  if (errors !== shown) {
    setShown(errors)
    if (get(errors, name) !== undefined) setOpen(true)
  }
  return (
    <li className="relative rounded-md border bg-surface-1">
      <details
        className="group/row"
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 py-2 pr-12 pl-3 [&::-webkit-details-marker]:hidden">
          <ChevronDown
            className="size-4 shrink-0 transition-transform group-open/row:rotate-180"
            aria-hidden
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <VisibleText text={draftText(draft)} />
          </span>
        </summary>
        {isOpen && (
          <RowFields name={name} place={place} draft={draft} tools={tools} judges={judges} />
        )}
      </details>
      <IconButton
        label={`Remove assertion ${place + 1}`}
        size="sm"
        className="absolute top-1.5 right-2"
        onClick={onRemove}
      >
        <X aria-hidden />
      </IconButton>
    </li>
  )
}

function RowFields({
  name,
  place,
  draft,
  tools,
  judges,
}: Pick<Props, 'place' | 'draft' | 'tools' | 'judges'> & { name: string }) {
  const fields = fieldsOfType[draft.type].filter((field) => isShown(field, draft))
  return (
    <fieldset className="grid gap-3 px-3 pb-3 sm:grid-cols-2">
      <legend className="sr-only">{`Assertion ${place + 1}`}</legend>
      <FormField name={`${name}.type`} shape={typeField} className="sm:col-span-2" />
      {fields.map((field) => (
        <AssertionFieldControl
          key={field}
          name={`${name}.${field}`}
          field={field}
          draft={draft}
          tools={tools}
          judges={judges}
        />
      ))}
    </fieldset>
  )
}
