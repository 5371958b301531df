'use client'
import { LongText } from '@/components/trace/long-text'
import { Field, type FieldControl } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import { Textarea } from '@/components/ui/textarea'
import { type TaskVariable, variableLabel } from '@/lib/domains/tasks/shared/task-form'
import type { RenderedTask } from '@/lib/domains/tasks/shared/task-values'
import { formatCount } from '@/lib/words/format'

type Props = {
  /** Begins the ids of the controls. */
  id: string
  variables: readonly TaskVariable[]
  values: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  onChange: (name: string, value: string) => void
}

/** Shows one labelled field for each variable of a task, in the task's order. */
export function VariableFields({ id, variables, values, errors, onChange }: Props) {
  return variables.map((variable) => (
    <Field
      key={variable.name}
      id={`${id}-${variable.name}`}
      label={variableLabel(variable)}
      optional={!variable.required && variable.type !== 'boolean'}
      hint={hintOf(variable, values[variable.name] ?? '')}
      error={errors[variable.name]}
    >
      {(control) => (
        <VariableControl
          control={control}
          variable={variable}
          value={values[variable.name] ?? ''}
          onChange={(value) => onChange(variable.name, value)}
        />
      )}
    </Field>
  ))
}

/** Returns the placeholder that says what an empty field means. */
function hintOf(variable: TaskVariable, value: string): string | undefined {
  if (variable.default === '' || value.trim() !== '' || variable.type === 'boolean')
    return undefined
  const [first = ''] = variable.default.split('\n')
  return `Default: ${first.slice(0, 80)}${first === variable.default ? '' : '…'}`
}

type VariableControlProps = {
  control: FieldControl
  variable: TaskVariable
  value: string
  onChange: (value: string) => void
}

const nothing = 'none'

/** Shows the control for the value of one variable, by its type. */
export function VariableControl({ control, variable, value, onChange }: VariableControlProps) {
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
      // The keyboards of phones for numbers have no minus, and any number is allowed here.
      return <Input {...typed} inputMode="text" autoComplete="off" className="w-40" />
    case 'date':
      return <Input {...typed} type="date" className="w-44" />
    case 'boolean':
      return <YesNo control={control} value={value} onChange={onChange} />
    case 'choice':
      return <Choice control={control} variable={variable} value={value} onChange={onChange} />
    default:
      return type satisfies never
  }
}

function YesNo({ control, value, onChange }: Omit<VariableControlProps, 'variable'>) {
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
function Choice({
  control,
  variable: { options, required },
  value,
  onChange,
}: VariableControlProps) {
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

/** Shows the prompt as it would be sent. Variables without a value are shown as names in braces. */
export function PromptPreview({ text, made }: { text: string; made: RenderedTask }) {
  const missing = made.type === 'invalid' ? made.errors.size : 0
  return (
    <div className="flex flex-col gap-1">
      <LongText text={text} label="Prompt preview" />
      <p className="numeric text-muted text-sm">
        {missing === 0
          ? `${formatCount(text.length)} characters, complete`
          : `${formatCount(text.length)} characters so far, ${formatCount(missing)} ${missing === 1 ? 'value' : 'values'} missing or not valid`}
      </p>
    </div>
  )
}
