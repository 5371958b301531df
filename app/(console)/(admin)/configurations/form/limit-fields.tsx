import { FormField, FormFields } from '@/components/forms/form-field'
import { costCapModeWords, toolModeWords } from '@/lib/protocol/configuration-form'
import type { FieldShape } from '@/lib/protocol/field-shape'

const limits: Record<string, FieldShape> = {
  maxRounds: { kind: 'number', label: 'Maximum rounds', hint: '1-50 model answers per run.' },
  timeLimit: {
    kind: 'number',
    inputMode: 'decimal',
    label: 'Time limit in seconds',
    hint: 'Time waiting for approvals does not count.',
  },
  costCap: {
    kind: 'money',
    label: 'Cost cap in US dollars',
    optional: true,
    placeholder: 'None',
    hint: 'The most one run may cost.',
  },
}
const capMode: FieldShape = {
  kind: 'select',
  label: 'When the cap is reached',
  choices: (['warn', 'enforce', 'off'] as const).map((value) => ({
    value,
    label: costCapModeWords[value],
  })),
}
const toolMode: FieldShape = {
  kind: 'select',
  label: 'Tool mode',
  hint: 'How the model receives tools and calls them.',
  choices: [
    {
      value: 'auto',
      label: toolModeWords.auto,
      hint: 'Uses the provider’s own tool calling, and prompted mode for models known to have none.',
    },
    {
      value: 'native',
      label: toolModeWords.native,
      hint: 'Uses only the provider’s own tool calling. Models without it get no tools.',
    },
    {
      value: 'prompted',
      label: toolModeWords.prompted,
      hint: 'Explains the tools in the system prompt. The model asks for them in text.',
    },
  ],
}

/** Shows the fields for the limits of a run. */
export function LimitFields({ hasCap }: { hasCap: boolean }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormFields fields={limits} />
      <FormField name="costCapMode" shape={capMode} disabled={!hasCap} />
      <FormField name="toolMode" shape={toolMode} />
    </div>
  )
}
