'use client'
import { X } from 'lucide-react'
import { CustomField, FormField } from '@/components/forms/form-field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { ConditionOperator } from '@/lib/protocol/approval'
import { canBeLoose, operatorWords } from '@/lib/protocol/condition-words'
import type { FieldShape } from '@/lib/shape/field-shape'
import type { DraftCondition } from './rule-draft'

const comparison: FieldShape = {
  kind: 'select',
  label: 'Comparison',
  choices: ConditionOperator.options.map((value) => ({
    value,
    label: operatorWords[value].word,
  })),
}

const loose: FieldShape = {
  kind: 'checkbox',
  label: 'Ignore case and look-alikes',
  hint: 'Also in lists and objects.',
}

type Props = {
  place: number
  condition: DraftCondition
  /** Offered while a path is typed. */
  paths: string[]
  onRemove: () => void
}

/** Shows the fields of one condition: the argument, the comparison, the value. */
export function ConditionRow({ place, condition, paths, onRemove }: Props) {
  const name = `conditions.${place - 1}`
  const { value: compares, hint } = operatorWords[condition.operator]
  const compared: FieldShape = { kind: 'text', label: 'Value', mono: true, ...(hint && { hint }) }
  return (
    <fieldset
      aria-label={`Condition ${place}`}
      className="relative grid gap-x-2 gap-y-3 rounded-md border bg-surface-1 p-3 pr-12 sm:grid-cols-[minmax(0,1fr)_10.5rem_minmax(0,1fr)]"
    >
      <CustomField<string> name={`${name}.path`} label="Path">
        {(control, { value, onChange }) => (
          <>
            <Input
              {...control}
              data-path
              list={`${control.id}-paths`}
              value={value}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              onChange={(event) => onChange(event.target.value)}
            />
            <datalist id={`${control.id}-paths`}>
              {paths.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </>
        )}
      </CustomField>
      <FormField name={`${name}.operator`} shape={comparison} />
      {compares && <FormField name={`${name}.value`} shape={compared} />}
      {canBeLoose(condition.operator) && (
        <div className="sm:col-span-3">
          <FormField name={`${name}.loose`} shape={loose} />
        </div>
      )}
      <IconButton
        label={`Remove condition ${place}`}
        size="sm"
        className="absolute top-2 right-2"
        onClick={onRemove}
      >
        <X aria-hidden />
      </IconButton>
    </fieldset>
  )
}
