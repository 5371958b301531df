import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import type { ReactNode } from 'react'
import { CustomField } from '@/components/forms/form-field'
import { SchemaField } from '@/components/forms/schema-field'
import { Checkbox } from '@/components/ui/checkbox'
import type { FieldControl } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { OnOffSwitch } from '@/components/ui/switch'
import { Textarea } from '@/components/ui/textarea'
import type { ParameterDescriptor } from '@/lib/protocol/parameters/parameters'
import { refusalWords } from './refusal-words'

type Props = {
  chain: readonly ModelChoice[]
  descriptor: ParameterDescriptor
  /** Left out = that of the descriptor. */
  hint?: string | undefined
}

/**
 * Shows the field of one parameter, as its descriptor says. If models of the chain refuse it, that replaces the hint.
 */
export function ParameterField({ descriptor, hint, chain }: Props) {
  const { key, label, control } = descriptor
  const refused = refusalWords(chain, key)
  const isWide = control.type === 'json' || control.type === 'list'
  return (
    <CustomField<string>
      name={key}
      label={label}
      hint={refused ? <span className="text-warning">{refused}</span> : (hint ?? descriptor.hint)}
      className={isWide ? 'sm:col-span-2' : undefined}
    >
      {(field, { value, onChange }) => (
        <Control descriptor={descriptor} field={field} text={value} onType={onChange} />
      )}
    </CustomField>
  )
}

type ControlProps = {
  descriptor: ParameterDescriptor
  field: FieldControl
  text: string
  onType: (text: string) => void
}

function Control({ descriptor, field, text, onType }: ControlProps): ReactNode {
  const { control, label, unset } = descriptor
  const placeholder = capitalised(unset)
  switch (control.type) {
    case 'choice':
      return (
        <Choice
          descriptor={descriptor}
          field={field}
          text={text}
          onType={onType}
          choices={control.choices}
        />
      )
    case 'tool-choice':
      return <ToolChoice descriptor={descriptor} field={field} text={text} onType={onType} />
    case 'switch':
      return (
        <span className="flex h-8 items-center">
          <OnOffSwitch
            {...field}
            checked={text === 'on'}
            onCheckedChange={(on) => onType(on ? 'on' : 'off')}
          />
        </span>
      )
    case 'list':
      return (
        <SomeOf field={field} label={label} choices={control.choices} text={text} onType={onType} />
      )
    case 'json':
      if (descriptor.key === 'outputSchema') {
        return <SchemaField field={field} text={text} onType={onType} />
      }
      return <Lines field={field} text={text} onType={onType} placeholder={control.sample} />
    case 'lines':
      return <Lines field={field} text={text} onType={onType} />
    case 'text':
    case 'number':
      return (
        <Input
          {...field}
          value={text}
          autoComplete="off"
          spellCheck={false}
          inputMode={keyboardOf(descriptor)}
          placeholder={placeholder}
          className={control.type === 'number' ? 'numeric' : undefined}
          onChange={(event) => onType(event.target.value)}
        />
      )
    default:
      return control satisfies never
  }
}

/** Returns the keyboard of phones. Those for numbers have no minus, so a number that may be negative gets the full one. */
function keyboardOf({ control, schema }: ParameterDescriptor): 'decimal' | 'text' {
  const isPositive = control.type === 'number' && !schema.safeParse(-1).success
  return isPositive ? 'decimal' : 'text'
}

function Lines({
  field,
  text,
  onType,
  placeholder,
}: Omit<ControlProps, 'descriptor'> & { placeholder?: string }) {
  return (
    <Textarea
      {...field}
      rows={2}
      spellCheck={false}
      value={text}
      placeholder={placeholder}
      className="min-h-0 font-mono text-mono"
      onChange={(event) => onType(event.target.value)}
    />
  )
}

/** The select keeps "" for "nothing chosen". */
const unchosen = 'default'
type Choices = readonly { text: string; label: string }[]

function Choice({ descriptor, field, text, onType, choices }: ControlProps & { choices: Choices }) {
  const options = choices.map((choice) => ({ value: choice.text, label: choice.label }))
  return (
    <Select
      {...field}
      options={[{ value: unchosen, label: capitalised(descriptor.unset) }, ...options]}
      value={text || unchosen}
      onValueChange={(value) => onType(value === unchosen ? '' : value)}
    />
  )
}

const oneTool = 'tool:'

/** Shows a choice between the fixed values and a tool by its name. */
function ToolChoice({ descriptor, field, text, onType }: ControlProps) {
  if (descriptor.control.type !== 'tool-choice') return null
  const isTool = text.startsWith(oneTool)
  const choices = [...descriptor.control.choices, { text: oneTool, label: 'Must call one tool' }]
  return (
    <div className="flex flex-col gap-2">
      <Choice
        descriptor={descriptor}
        field={field}
        onType={onType}
        choices={choices}
        text={isTool ? oneTool : text}
      />
      {isTool && (
        <Input
          aria-label="Tool name"
          value={text.slice(oneTool.length)}
          autoComplete="off"
          spellCheck={false}
          placeholder="fetch_logs"
          className="font-mono text-mono"
          onChange={(event) => onType(`${oneTool}${event.target.value}`)}
        />
      )}
    </div>
  )
}

function SomeOf({
  field,
  label,
  choices,
  text,
  onType,
}: {
  field: FieldControl
  label: string
  choices: Choices
  text: string
  onType: (text: string) => void
}) {
  const chosen = text.split(',').flatMap((each) => each.trim() || [])
  const turn = (name: string, on: boolean) =>
    choices.map((each) => each.text).filter((each) => (each === name ? on : chosen.includes(each)))
  return (
    <fieldset
      id={field.id}
      aria-label={label}
      aria-describedby={field['aria-describedby']}
      className="grid min-w-0 gap-x-6 sm:grid-cols-2"
    >
      {choices.map((choice) => (
        <label
          key={choice.text}
          htmlFor={`${field.id}-${choice.text}`}
          className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11"
        >
          <Checkbox
            id={`${field.id}-${choice.text}`}
            checked={chosen.includes(choice.text)}
            onCheckedChange={(on) => onType(turn(choice.text, on).join(', '))}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
