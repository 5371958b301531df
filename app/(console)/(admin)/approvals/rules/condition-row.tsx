'use client'
import { X } from 'lucide-react'
import { useId } from 'react'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ConditionOperator } from '@/lib/protocol/approval-rule'
import type { DraftCondition } from './rule-draft'
import { operatorWords } from './rule-words'

const operators = ConditionOperator.options.map((value) => ({
  value,
  label: operatorWords[value].word,
}))

type Props = {
  place: number
  condition: DraftCondition
  /** Offered while a path is typed. */
  paths: string[]
  pathError: string | undefined
  valueError: string | undefined
  onChange: (condition: DraftCondition) => void
  onRemove: () => void
}

/** One condition: where to look, how to compare, with what. */
export function ConditionRow({ place, condition, paths, ...rest }: Props) {
  const id = useId()
  const { pathError, valueError, onChange, onRemove } = rest
  const compares = operatorWords[condition.operator].value
  return (
    <fieldset
      aria-label={`Condition ${place}`}
      className="relative grid gap-x-2 gap-y-3 rounded-md border bg-surface-1 p-3 pr-12 sm:grid-cols-[minmax(0,1fr)_10.5rem_minmax(0,1fr)]"
    >
      <Field id={`${id}-path`} label="Path" error={pathError}>
        {(control) => (
          <>
            <Input
              {...control}
              data-path
              list={`${id}-paths`}
              value={condition.path}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              onChange={(event) => onChange({ ...condition, path: event.target.value })}
            />
            <datalist id={`${id}-paths`}>
              {paths.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field id={`${id}-operator`} label="Comparison">
        {(control) => (
          <Select
            {...control}
            options={operators}
            value={condition.operator}
            onValueChange={(value) => {
              const operator = ConditionOperator.options.find((each) => each === value)
              if (operator) onChange({ ...condition, operator })
            }}
          />
        )}
      </Field>
      {compares && (
        <Field id={`${id}-value`} label="Value" error={valueError}>
          {(control) => (
            <Input
              {...control}
              value={condition.value}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              onChange={(event) => onChange({ ...condition, value: event.target.value })}
            />
          )}
        </Field>
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
