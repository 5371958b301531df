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
    hint: 'Asks in the provider’s own way.',
  },
  { value: 'native', label: toolModeWords.native, hint: 'Always the provider’s own way.' },
  {
    value: 'prompted',
    label: toolModeWords.prompted,
    hint: 'For models without tool calling. Runs of this version cannot work in it.',
    disabled: true,
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
      <TextField {...figure} field="maxRounds" label="Rounds" hint="1 to 50 model answers a run." />
      <TextField
        {...figure}
        field="timeLimit"
        name="timeLimitMs"
        label="Time limit in seconds"
        hint="Time spent waiting for approvals does not count."
      />
      <TextField
        {...figure}
        field="costCap"
        name="costCapMicroUsd"
        label="Cost cap in US dollars"
        optional
        placeholder="None"
        hint="What one run may cost."
      />
      <Field id="costCapMode" label="When the cap is passed" error={errors.costCapMode}>
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
        hint="How the model is told of tools and asks for them."
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
