'use client'
import { SelectControl, TextControl } from '@/components/forms/form-controls'
import { CustomField } from '@/components/forms/form-field'
import { type DurationSetting, settingShape } from '@/lib/domains/settings/shape'
import { type DurationUnit, durationMs, durationParts, parseDecimal } from '@/lib/protocol/format'

/** A duration as it is typed: an amount and its unit. */
type TypedDuration = { amount: string; unit: DurationUnit }

const amount = { kind: 'number', label: 'Amount' } as const
const unit = {
  kind: 'select',
  label: 'Unit',
  choices: [
    { value: 'm', label: 'minutes' },
    { value: 'h', label: 'hours' },
    { value: 'd', label: 'days' },
  ],
} as const

export function typedDuration(ms: number): TypedDuration {
  const { amount, unit } = durationParts(ms)
  return { amount: String(amount), unit }
}

/** Returns milliseconds; not a number when the field holds none. */
export function typedMs({ amount, unit }: TypedDuration): number {
  return durationMs(parseDecimal(amount) ?? Number.NaN, unit)
}

/** Shows a field for a setting that lasts some time. */
export function DurationField({ name }: { name: DurationSetting }) {
  const { label, hint } = settingShape[name]
  return (
    <CustomField<TypedDuration> name={name} label={label} hint={hint}>
      {(control, { id, value, onChange, error }) => (
        <div className="flex gap-2">
          <TextControl
            {...control}
            name={name}
            className="w-24"
            shape={amount}
            state={{
              id,
              error,
              value: value.amount,
              onChange: (amount) => onChange({ ...value, amount }),
            }}
          />
          <SelectControl
            aria-label={unit.label}
            className="w-32"
            shape={unit}
            state={{
              id,
              error,
              value: value.unit,
              onChange: (unit) => onChange({ ...value, unit: unit as DurationUnit }),
            }}
          />
        </div>
      )}
    </CustomField>
  )
}
