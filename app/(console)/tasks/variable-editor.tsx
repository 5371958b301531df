'use client'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useFormAround } from '@/components/forms/form'
import { CustomField, FormField } from '@/components/forms/form-field'
import { VariableControl } from '@/components/tasks/variable-fields'
import { IconButton } from '@/components/ui/icon-button'
import { Select } from '@/components/ui/select'
import {
  defaultMaxLength,
  type TaskVariableType,
  taskVariableTypes,
} from '@/lib/domains/tasks/shared/task-form'
import type { FieldShape } from '@/lib/shape/field-shape'
import { formatCount } from '@/lib/words/format'
import { isText, type VariableDraft, variablesOf } from './task-draft'

const typeWords: Record<TaskVariableType, string> = {
  text: 'Text, one line',
  'long-text': 'Long text',
  number: 'Number',
  boolean: 'Yes or no',
  choice: 'Choice',
  date: 'Date',
}

const nameField: FieldShape = { kind: 'text', label: 'Name', mono: true }
const typeChoices = taskVariableTypes.map((value) => ({ value, label: typeWords[value] }))
const optionsField: FieldShape = { kind: 'textarea', label: 'Options, one per line', rows: 3 }
const required: FieldShape = { kind: 'checkbox', label: 'Required' }

type Props = {
  place: number
  last: number
  variable: VariableDraft
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Shows the fields of one variable: its name between the braces, the label of its field, and what the field takes. */
export function VariableEditor({ place, last, variable, ...on }: Props) {
  const at = (field: keyof VariableDraft) => `variables.${place}.${field}`
  const named = variable.name || `variable ${place + 1}`
  return (
    <li className="rounded-md border bg-surface-1 p-3">
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">{named}</legend>
        <div className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-3">
            <FormField name={at('name')} shape={nameField} />
            <FormField
              name={at('label')}
              shape={{ kind: 'text', label: 'Label', optional: true, placeholder: variable.name }}
            />
            <TypeField place={place} />
          </div>
          <RowButtons named={named} place={place} last={last} {...on} />
        </div>
        <div className="grid gap-3 sm:grid-cols-3">
          {variable.type === 'choice' && (
            <FormField name={at('options')} shape={optionsField} className="sm:col-span-3" />
          )}
          <CustomField<string>
            name={at('default')}
            label="Default"
            optional
            className="sm:col-span-2"
          >
            {(control, { value, onChange }) => (
              <VariableControl
                control={control}
                variable={{ ...shown(variable), required: false }}
                value={value}
                onChange={onChange}
              />
            )}
          </CustomField>
          {isText(variable.type) && (
            <FormField
              name={at('maxLength')}
              shape={{
                kind: 'number',
                label: 'Maximum characters',
                optional: true,
                placeholder: formatCount(defaultMaxLength[variable.type]),
              }}
            />
          )}
        </div>
        {variable.type !== 'boolean' && <FormField name={at('required')} shape={required} />}
      </fieldset>
    </li>
  )
}

/** Shows the type. Another type empties the default, which would have another meaning. */
function TypeField({ place }: { place: number }) {
  const { change } = useFormAround()
  return (
    <CustomField<TaskVariableType> name={`variables.${place}.type`} label="Type">
      {(control, { value }) => (
        <Select
          {...control}
          options={typeChoices}
          value={value}
          onValueChange={(picked) => {
            const type = taskVariableTypes.find((each) => each === picked)
            if (!type) return
            change({
              [`variables.${place}.type`]: type,
              [`variables.${place}.default`]: '',
            })
          }}
        />
      )}
    </CustomField>
  )
}

/**
 * Shows the buttons of a row. At the ends of the list they stay enabled and do nothing, because a disabled button would
 * lose the focus.
 */
function RowButtons({
  named,
  place,
  last,
  onMove,
  onRemove,
}: { named: string } & Pick<Props, 'place' | 'last' | 'onMove' | 'onRemove'>) {
  const { id: formId } = useFormAround()
  const id = `${formId}-variables.${place}`
  const [atTop, atEnd] = [place === 0, place === last]
  return (
    <div className="flex gap-1 pt-6 max-sm:flex-col">
      <IconButton
        id={`${id}-up`}
        label={`Move ${named} up`}
        size="sm"
        aria-disabled={atTop || undefined}
        onClick={() => !atTop && onMove(-1)}
      >
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton
        id={`${id}-down`}
        label={`Move ${named} down`}
        size="sm"
        aria-disabled={atEnd || undefined}
        onClick={() => !atEnd && onMove(1)}
      >
        <ArrowDown aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${named}`} size="sm" onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  )
}

function shown(variable: VariableDraft) {
  const [parsed] = variablesOf({ variables: [variable] })
  return parsed ?? { ...variable, options: [], maxLength: null }
}
