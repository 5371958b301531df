import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { CostCapMode, ToolMode } from '@/lib/protocol/configuration-form'
import { costCapModeWords, toolModeWords } from '@/lib/protocol/setting-words'
import type { DraftProps } from './configuration-draft'
import { TextField } from './text-field'

const toolModes = [
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
]

const capModes = (['warn', 'enforce', 'off'] as const).map((value) => ({
  value,
  label: costCapModeWords[value],
}))

/** How far a run may go. */
export function LimitFields(props: DraftProps) {
  const { draft, errors, onChange } = props
  const figure = { ...props, figure: true }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...figure}
        field="maxRounds"
        label="Maximum rounds"
        hint="1-50 model answers per run."
      />
      <TextField
        {...figure}
        field="timeLimit"
        name="timeLimitMs"
        label="Time limit in seconds"
        hint="Time waiting for approvals does not count."
      />
      <TextField
        {...figure}
        field="costCap"
        name="costCapMicroUsd"
        label="Cost cap in US dollars"
        optional
        placeholder="None"
        hint="The most one run may cost."
      />
      <Field id="costCapMode" label="When the cap is reached" error={errors.costCapMode}>
        {(control) => (
          <Select
            {...control}
            options={capModes}
            value={draft.costCapMode}
            disabled={draft.costCap.trim() === ''}
            onValueChange={(value) => {
              const costCapMode = CostCapMode.options.find((each) => each === value)
              if (costCapMode) onChange({ costCapMode })
            }}
          />
        )}
      </Field>
      <Field
        id="toolMode"
        label="Tool mode"
        error={errors.toolMode}
        hint="How the model receives tools and calls them."
      >
        {(control) => (
          <Select
            {...control}
            options={toolModes}
            value={draft.toolMode}
            onValueChange={(value) => {
              const toolMode = ToolMode.options.find((each) => each === value)
              if (toolMode) onChange({ toolMode })
            }}
          />
        )}
      </Field>
    </div>
  )
}
