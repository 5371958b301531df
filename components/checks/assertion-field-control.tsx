'use client'
import { CustomField, FormField } from '@/components/forms/form-field'
import { Input } from '@/components/ui/input'
import { lazyPart } from '@/components/ui/lazy-part'
import { callEndWords } from '@/lib/protocol/check/check-words'
import { canBeLoose, operatorWords } from '@/lib/protocol/condition-words'
import { everyGate, gateTitle } from '@/lib/protocol/gate-answers'
import { endReasonWords } from '@/lib/protocol/run/end-reason-words'
import { choicesOf, type FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import type { AssertionDraft, AssertionField } from './assertion-draft'

/** It brings the validator of schemas. */
const SchemaField = lazyPart(
  async () => (await import('@/components/forms/schema-field')).SchemaField,
)

const shapes: Record<
  Exclude<AssertionField, 'tool' | 'schema' | 'value' | 'configuration'>,
  FieldShape
> = {
  tools: {
    kind: 'textarea',
    label: 'Tools, one per line',
    hint: 'Other calls may stand between them.',
    rows: 3,
    mono: true,
  },
  atLeast: { kind: 'number', label: 'At least' },
  count: { kind: 'number', label: 'At most' },
  path: { kind: 'text', label: 'Path', mono: true, hint: 'Such as $.items[*].name.' },
  operator: {
    kind: 'select',
    label: 'Comparison',
    choices: Object.entries(operatorWords).map(([value, { word }]) => ({ value, label: word })),
  },
  loose: {
    kind: 'checkbox',
    label: 'Ignore case and look-alikes',
    hint: 'Also in lists and objects.',
  },
  outcome: { kind: 'select', label: 'The call', choices: choicesOf(callEndWords) },
  gate: {
    kind: 'select',
    label: 'Gate',
    search: 'Search gates',
    choices: everyGate.map((gate) => ({ value: gate, label: titled(gateTitle({ gate })) })),
  },
  text: { kind: 'textarea', label: 'Text', rows: 2 },
  pattern: {
    kind: 'text',
    label: 'Pattern',
    mono: true,
    hint: 'A regular expression. It may match anywhere in the answer, unless ^ and $ say otherwise.',
  },
  reason: {
    kind: 'select',
    label: 'Reason',
    search: 'Search reasons',
    choices: choicesOf(endReasonWords),
  },
  microUsd: { kind: 'money', label: 'At most, in dollars', placeholder: '0.05' },
  seconds: {
    kind: 'number',
    label: 'At most, in seconds',
    hint: 'Without waiting for approval.',
    inputMode: 'decimal',
  },
  rubric: {
    kind: 'textarea',
    label: 'Rubric',
    rows: 4,
    hint: 'Say when the answer is right. The judge reads the prompt and the answer.',
  },
}

const wide: readonly AssertionField[] = [
  'tools',
  'text',
  'pattern',
  'schema',
  'loose',
  'configuration',
  'rubric',
]

type Props = {
  /** The path of its value in the form. */
  name: string
  field: AssertionField
  draft: AssertionDraft
  tools: readonly string[]
  judges: readonly JudgeChoice[]
}

/** A configuration that the reader may use as a judge. */
export type JudgeChoice = { identifier: string; name: string }

/** Shows one field of an assertion. */
export function AssertionFieldControl({ name, field, draft, tools, judges }: Props) {
  const className = wide.includes(field) ? 'sm:col-span-2' : undefined
  switch (field) {
    case 'tool':
      return <ToolField name={name} isOptional={draft.type === 'calls-at-most'} tools={tools} />
    case 'configuration':
      return <FormField name={name} shape={judgeField(draft, judges)} className={className} />
    case 'schema':
      return (
        <CustomField<string>
          name={name}
          label={draft.type === 'judge' ? 'JSON Schema of its answer' : 'JSON Schema'}
          optional={draft.type === 'judge'}
          className={className}
          hint={draft.type === 'judge' ? 'Leave empty for a verdict with a reason.' : undefined}
        >
          {(control, { value, onChange }) => (
            <SchemaField field={control} text={value} onType={onChange} />
          )}
        </CustomField>
      )
    case 'value': {
      const { value: compares, hint } = operatorWords[draft.operator]
      const shape: FieldShape = { kind: 'text', label: 'Value', mono: true, ...(hint && { hint }) }
      return compares && <FormField name={name} shape={shape} />
    }
    case 'loose':
      return (
        canBeLoose(draft.operator) && (
          <FormField name={name} shape={shapes.loose} className={className} />
        )
      )
    default:
      return <FormField name={name} shape={shapes[field]} className={className} />
  }
}

function judgeField({ configuration }: AssertionDraft, judges: Props['judges']): FieldShape {
  const known = judges.map(({ identifier, name }) => ({
    value: identifier,
    label: visibleText(name),
  }))
  const isKnown = configuration === '' || judges.some((each) => each.identifier === configuration)
  return {
    kind: 'select',
    label: 'Configuration that judges',
    search: 'Search configurations',
    placeholder: 'Pick a configuration',
    hint: 'Its models must not be those of the check. Each try costs a model request more.',
    choices: isKnown
      ? known
      : [{ value: configuration, label: visibleText(configuration) }, ...known],
  }
}

/** Shows a field for the name of a tool. Any name can be typed: a check may be about a tool that is gone. */
function ToolField({
  name,
  isOptional,
  tools,
}: Pick<Props, 'name' | 'tools'> & { isOptional: boolean }) {
  return (
    <CustomField<string>
      name={name}
      label="Tool"
      optional={isOptional}
      hint={isOptional ? 'Leave empty for all tools together.' : undefined}
    >
      {(control, { value, onChange }) => (
        <>
          <Input
            {...control}
            list={`${control.id}-tools`}
            value={value}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            className="font-mono"
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={`${control.id}-tools`}>
            {tools.map((tool) => (
              <option key={tool} value={tool} />
            ))}
          </datalist>
        </>
      )}
    </CustomField>
  )
}

function titled(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
