'use client'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { VariableControl } from '@/components/tasks/variable-control'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import {
  type TaskVariableType,
  taskVariableTypes,
  usualMaxLength,
} from '@/lib/protocol/task-variable'
import { isText, type VariableDraft, variablesOf } from './task-draft'

const typeWords: Record<TaskVariableType, string> = {
  text: 'Text, one line',
  'long-text': 'Long text',
  number: 'Number',
  boolean: 'Yes or no',
  choice: 'Choice',
  date: 'Date',
}

type Props = {
  place: number
  last: number
  variable: VariableDraft
  errors: Readonly<Partial<Record<string, string>>>
  onChange: (part: Partial<VariableDraft>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One variable: its name between the braces, what its field is called, and what the field takes. */
export function VariableEditor({ place, last, variable, errors, onChange, ...on }: Props) {
  const id = `variable-${variable.key}`
  const named = variable.name || `variable ${place + 1}`
  const error = (field: string) => errors[`variables.${place}.${field}`]
  const text = (field: 'name' | 'label' | 'maxLength') => ({
    value: variable[field],
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  })
  return (
    <li className="rounded-md border bg-surface-1 p-3">
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">{named}</legend>
        <div className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-3">
            <Field id={`${id}-name`} label="Name" error={error('name')}>
              {(control) => (
                <Input
                  {...control}
                  {...text('name')}
                  className="font-mono"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
            <Field id={`${id}-label`} label="Label" optional error={error('label')}>
              {(control) => <Input {...control} {...text('label')} placeholder={variable.name} />}
            </Field>
            <Field id={`${id}-type`} label="Type" error={error('type')}>
              {(control) => (
                <Select
                  {...control}
                  options={taskVariableTypes.map((value) => ({ value, label: typeWords[value] }))}
                  value={variable.type}
                  onValueChange={(value) =>
                    onChange({ type: typeOf(value) ?? variable.type, default: '' })
                  }
                />
              )}
            </Field>
          </div>
          <RowButtons id={id} named={named} place={place} last={last} {...on} />
        </div>
        <div className="grid gap-3 sm:grid-cols-3">
          {variable.type === 'choice' && (
            <Field
              id={`${id}-options`}
              label="Options, one per line"
              className="sm:col-span-3"
              error={error('options')}
            >
              {(control) => (
                <Textarea
                  {...control}
                  rows={3}
                  value={variable.options}
                  onChange={(event) => onChange({ options: event.target.value })}
                />
              )}
            </Field>
          )}
          <Field
            id={`${id}-default`}
            label="Default"
            optional
            className="sm:col-span-2"
            error={error('default')}
          >
            {(control) => (
              <VariableControl
                control={control}
                variable={{ ...shown(variable), required: false }}
                value={variable.default}
                onChange={(value) => onChange({ default: value })}
              />
            )}
          </Field>
          {isText(variable.type) && (
            <Field id={`${id}-max`} label="Maximum characters" optional error={error('maxLength')}>
              {(control) => (
                <Input
                  {...control}
                  {...text('maxLength')}
                  inputMode="numeric"
                  placeholder={usualMaxLength[variable.type].toLocaleString('en')}
                />
              )}
            </Field>
          )}
        </div>
        {variable.type !== 'boolean' && (
          <label className="flex w-fit items-center gap-2" htmlFor={`${id}-required`}>
            <Checkbox
              id={`${id}-required`}
              checked={variable.required}
              onCheckedChange={(required) => onChange({ required })}
            />
            Required
          </label>
        )}
      </fieldset>
    </li>
  )
}

/** The buttons stay enabled at the ends of the list and do nothing, because a disabled button would lose the focus. */
function RowButtons({
  id,
  named,
  place,
  last,
  onMove,
  onRemove,
}: { id: string; named: string } & Pick<Props, 'place' | 'last' | 'onMove' | 'onRemove'>) {
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

function typeOf(value: string): TaskVariableType | undefined {
  return taskVariableTypes.find((type) => type === value)
}

function shown(variable: VariableDraft) {
  const [parsed] = variablesOf({ variables: [variable] })
  return parsed ?? { ...variable, options: [], maxLength: null }
}
