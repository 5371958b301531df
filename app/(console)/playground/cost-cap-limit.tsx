import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { CostCapDraft } from './cost-cap-draft'

const modes = [
  { value: 'warn', label: 'Warn only' },
  { value: 'enforce', label: 'Stop with a final answer' },
]

/** Shows the field for this run's cost cap, in addition to those of its configuration and task. Empty = none. */
export function CostCapLimit({
  value,
  error,
  onChange,
}: {
  value: CostCapDraft
  error?: string
  onChange: (part: Partial<CostCapDraft>) => void
}) {
  return (
    <Field
      id="cost-cap"
      label="Cost cap in US dollars"
      hint="For this run. Leave empty to use only the cap of the configuration."
      error={error}
    >
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            className="numeric w-24"
            placeholder="0.50"
            value={value.costCap}
            onChange={(event) => onChange({ costCap: event.target.value })}
          />
          <Select
            aria-label="When it is reached"
            className="w-52"
            options={modes}
            value={value.costCapMode}
            onValueChange={(mode) =>
              onChange({ costCapMode: mode === 'enforce' ? 'enforce' : 'warn' })
            }
          />
        </div>
      )}
    </Field>
  )
}
