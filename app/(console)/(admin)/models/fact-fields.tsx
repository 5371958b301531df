'use client'
import { capabilityWords, toolWords } from '@/components/nouns/model-words'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Capability, type ToolCalling } from '@/lib/domains/models/schemas'
import { effortWords, ReasoningEffort } from '@/lib/protocol/parameter-values'
import { ModelParameter, parameterLabels } from '@/lib/protocol/parameters'

/** Fields that are picked from choices. */
export type PickedFacts = {
  toolCalling: ToolCalling
  reasoningEfforts: ReasoningEffort[]
  unsupportedParameters: ModelParameter[]
} & Record<Capability, boolean | null>

type Props = {
  id: string
  typed: { displayName: string; contextTokens: number | null; maxOutputTokens: number | null }
  picked: PickedFacts
  wrong: Partial<Record<string, string>>
  /** The names that errors carry: "change." before each when the fields are part of one. */
  prefix?: string
  onPick: (facts: PickedFacts) => void
}

const threeWays = [
  { value: 'unknown', label: 'Unknown' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const asChoice = (value: boolean | null) => (value === null ? 'unknown' : value ? 'yes' : 'no')
const ofChoice = (choice: string) => (choice === 'unknown' ? null : choice === 'yes')

/** What is known of a model, for the forms that add and change one. */
export function FactFields({ id, typed, picked, wrong, prefix = '', onPick }: Props) {
  const wrongIn = (name: string) => wrong[`${prefix}${name}`]
  return (
    <>
      <Field id={`${id}-name`} label="Name" hint="Shown to people." error={wrongIn('displayName')}>
        {(control) => (
          <Input
            {...control}
            name="displayName"
            autoComplete="off"
            defaultValue={typed.displayName}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Tokens
          id={`${id}-context`}
          name="contextTokens"
          label="Context window"
          value={typed.contextTokens}
          error={wrongIn('contextTokens')}
        />
        <Tokens
          id={`${id}-output`}
          name="maxOutputTokens"
          label="Max output"
          value={typed.maxOutputTokens}
          error={wrongIn('maxOutputTokens')}
        />
        <Field id={`${id}-tools`} label="Tool calling" hint="Test it on the model's page.">
          {(control) => (
            <Select
              {...control}
              options={Object.entries(toolWords).map(([value, label]) => ({ value, label }))}
              value={picked.toolCalling}
              onValueChange={(value) => onPick({ ...picked, toolCalling: value as ToolCalling })}
            />
          )}
        </Field>
        {Capability.options.map((name) => (
          <Field key={name} id={`${id}-${name}`} label={capabilityWords[name]}>
            {(control) => (
              <Select
                {...control}
                options={threeWays}
                value={asChoice(picked[name])}
                onValueChange={(value) => onPick({ ...picked, [name]: ofChoice(value) })}
              />
            )}
          </Field>
        ))}
      </div>
      <SomeOf
        id={`${id}-effort`}
        legend="Reasoning efforts it accepts"
        hint="An effort it does not accept is sent as the next lower one. Leave all empty if unknown."
        options={ReasoningEffort.options}
        words={effortWords}
        chosen={picked.reasoningEfforts}
        onChoose={(reasoningEfforts) => onPick({ ...picked, reasoningEfforts })}
      />
      <SomeOf
        id={`${id}-refused`}
        legend="Parameters it does not accept"
        hint="They are never sent to this model, even if a configuration sets them."
        options={ModelParameter.options}
        words={parameterLabels}
        chosen={picked.unsupportedParameters}
        onChoose={(unsupportedParameters) => onPick({ ...picked, unsupportedParameters })}
      />
    </>
  )
}

function Tokens(props: {
  id: string
  name: string
  label: string
  value: number | null
  error: string | undefined
}) {
  const { id, name, label, value, error } = props
  return (
    <Field id={id} label={label} hint="In tokens. Leave empty if unknown." error={error} optional>
      {(control) => (
        <Input
          {...control}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          className="numeric"
          defaultValue={value ?? ''}
        />
      )}
    </Field>
  )
}

function SomeOf<T extends string>({
  id,
  legend,
  hint,
  options,
  words,
  chosen,
  onChoose,
}: {
  id: string
  legend: string
  hint: string
  options: readonly T[]
  words: Record<T, string>
  chosen: readonly T[]
  onChoose: (chosen: T[]) => void
}) {
  const turn = (name: T, on: boolean) =>
    options.filter((each) => (each === name ? on : chosen.includes(each)))
  return (
    <fieldset>
      <legend className="font-medium text-strong">{legend}</legend>
      <p className="mb-1 text-muted text-sm">{hint}</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {options.map((name) => (
          <li key={name}>
            <label
              htmlFor={`${id}-${name}`}
              className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10"
            >
              <Checkbox
                id={`${id}-${name}`}
                checked={chosen.includes(name)}
                onCheckedChange={(on) => onChoose(turn(name, on))}
              />
              {words[name]}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
