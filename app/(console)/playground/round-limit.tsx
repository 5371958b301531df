import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

/** Shows the field for the maximum rounds of this run. Empty = the configuration's value. */
export function RoundLimit({
  value,
  onChange,
  standard,
  most,
  error,
}: {
  value: string
  onChange: (value: string) => void
  standard: number | null
  most: number
  error?: string
}) {
  return (
    <Field
      id="max-rounds"
      label="Maximum rounds"
      hint={
        standard === null
          ? undefined
          : `1-${most}. Leave empty for ${standard} (from the configuration).`
      }
      error={error}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={1}
          max={most}
          step={1}
          className="w-24"
          placeholder={standard === null ? undefined : String(standard)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
