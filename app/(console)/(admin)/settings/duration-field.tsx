'use client'
import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { parseDecimal } from '@/lib/protocol/codecs'
import { type DurationUnit, durationMs, durationParts } from '@/lib/protocol/duration-text'

const units: { value: DurationUnit; label: string }[] = [
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
]

/** Holds a duration of a form: an amount in the field `amount`, and a unit. Both keep their values after a save. */
export function useDuration(storedMs: number) {
  const stored = durationParts(storedMs)
  const [unit, setUnit] = useState(stored.unit)
  const [saved, setSaved] = useState(stored.unit)
  return {
    amount: stored.amount,
    unit,
    setUnit,
    changed: unit !== saved,
    /** Milliseconds; not a number when the field holds none. */
    read: (text: (field: string) => string) =>
      durationMs(parseDecimal(text('amount')) ?? Number.NaN, unit),
    /** Call it when the form was saved. */
    keep: () => setSaved(unit),
  }
}

export function DurationField({
  duration: { amount, unit, setUnit },
  ...field
}: {
  id: string
  label: string
  hint: string
  error: string | undefined
  duration: ReturnType<typeof useDuration>
}) {
  return (
    <Field {...field}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            name="amount"
            inputMode="numeric"
            autoComplete="off"
            className="numeric w-24"
            defaultValue={amount}
          />
          <Select
            aria-label="Unit"
            className="w-32"
            options={units}
            value={unit}
            onValueChange={(value) =>
              setUnit(units.find((each) => each.value === value)?.value ?? unit)
            }
          />
        </div>
      )}
    </Field>
  )
}
