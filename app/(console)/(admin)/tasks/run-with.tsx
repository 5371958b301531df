'use client'
import { Choice } from '@/components/forms/choice'
import { SchemaField } from '@/components/forms/schema-field'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { TaskChoices } from './task-choices'
import type { TaskDraft } from './task-draft'

type Props = {
  draft: TaskDraft
  configurations: TaskChoices['configurations']
  errors: Partial<Record<string, string>>
  onChange: (part: Partial<TaskDraft>) => void
}

const none = 'none'
const modes = [
  { value: 'warn', label: 'Warn only', hint: 'Warns once. The run continues.' },
  {
    value: 'enforce',
    label: 'Stop with a final answer',
    hint: 'The run ends with one final answer without tools.',
  },
  { value: 'off', label: 'Off', hint: 'The value is kept but has no effect.' },
] as const

/** The configuration a task is usually run with, what its answers must fit, and what one run may cost. */
export function RunWith({ draft, configurations, errors, onChange }: Props) {
  return (
    <>
      <Field
        id="task-configuration"
        label="Configuration"
        hint="People who may use this configuration may run the task with it. They can pick another one for a run."
        error={errors.configurationId}
      >
        {(control) => (
          <Choice
            {...control}
            searchLabel="Search configurations"
            options={[
              { value: none, label: 'None: picked for each run' },
              ...configurations.map(({ id, name, identifier, enabled }) => ({
                value: id,
                label: enabled ? name : `${name} (off)`,
                hint: identifier,
              })),
            ]}
            value={draft.configurationId ?? none}
            onValueChange={(id) => onChange({ configurationId: id === none ? null : id })}
          />
        )}
      </Field>
      <Field
        id="task-output-schema"
        label="Answer schema"
        optional
        hint="A JSON Schema that the answer must fit, instead of the schema from the configuration. A run can have a schema of its own."
        error={errors.outputSchema}
      >
        {(control) => (
          <SchemaField
            field={control}
            text={draft.outputSchema}
            onType={(outputSchema) => onChange({ outputSchema })}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          id="task-cost-cap"
          label="Cost cap per run, US dollars"
          optional
          error={errors.costCapMicroUsd}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              placeholder="0.25"
              autoComplete="off"
              value={draft.costCap}
              onChange={(event) => onChange({ costCap: event.target.value })}
            />
          )}
        </Field>
        {draft.costCap.trim() !== '' && (
          <Field id="task-cost-cap-mode" label="When the cap is reached" error={errors.costCapMode}>
            {(control) => (
              <Select
                {...control}
                options={modes}
                value={draft.costCapMode}
                onValueChange={(value) => {
                  const mode = modes.find((each) => each.value === value)
                  if (mode) onChange({ costCapMode: mode.value })
                }}
              />
            )}
          </Field>
        )}
      </div>
    </>
  )
}
