'use client'
import type { TaskVariable } from '@/lib/protocol/task-form'
import type { FieldControl } from '../ui/field'
import { Input } from '../ui/input'
import { Select } from '../ui/select'
import { Switch } from '../ui/switch'
import { Textarea } from '../ui/textarea'

type Props = {
  control: FieldControl
  variable: TaskVariable
  value: string
  onChange: (value: string) => void
}

const nothing = 'none'

/** Shows the control for the value of one variable, by its type. */
export function VariableControl({ control, variable, value, onChange }: Props) {
  const { type, required } = variable
  const typed = {
    ...control,
    value,
    required,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  switch (type) {
    case 'text':
      return <Input {...typed} autoComplete="off" />
    case 'long-text':
      return <Textarea {...typed} rows={3} className="max-h-60" />
    case 'number':
      return <Input {...typed} inputMode="decimal" autoComplete="off" className="w-40" />
    case 'date':
      return <Input {...typed} type="date" className="w-44" />
    case 'boolean':
      return <YesNo control={control} value={value} onChange={onChange} />
    case 'choice':
      return <Choice {...{ control, variable, value, onChange }} />
    default:
      return type satisfies never
  }
}

function YesNo({ control, value, onChange }: Omit<Props, 'variable'>) {
  const on = value === 'true'
  return (
    <span className="flex items-center gap-2">
      <Switch {...control} checked={on} onCheckedChange={(next) => onChange(String(next))} />
      <span className="text-normal" aria-hidden>
        {on ? 'Yes' : 'No'}
      </span>
    </span>
  )
}

/** Shows the options of a choice. Their index is the value, because their text may be anything. */
function Choice({ control, variable: { options, required }, value, onChange }: Props) {
  const choices = options.map((label, index) => ({ value: String(index), label }))
  const at = options.indexOf(value)
  return (
    <Select
      {...control}
      className="sm:w-80"
      placeholder="Pick one"
      options={required ? choices : [{ value: nothing, label: 'Nothing' }, ...choices]}
      value={at === -1 ? (required ? '' : nothing) : String(at)}
      onValueChange={(picked) =>
        onChange(picked === nothing ? '' : (options[Number(picked)] ?? ''))
      }
    />
  )
}
