'use client'
import { CustomField, FormField } from '@/components/forms/form-field'
import { SchemaField } from '@/components/forms/schema-field'
import { tasks } from '@/lib/domains/tasks/shape'
import type { TaskChoices } from './read-task-choices'

const { configurationId, outputSchema, costCapMicroUsd, costCapMode } = tasks.fields

/** Shows the fields for a task's default configuration, the schema of its answers, and the cost cap of a run. */
export function RunWith({
  hasCap,
  configurations,
}: {
  hasCap: boolean
  configurations: TaskChoices['configurations']
}) {
  return (
    <>
      <FormField
        name="configurationId"
        shape={{
          kind: 'select',
          label: configurationId.label,
          hint: configurationId.hint,
          search: 'Search configurations',
          choices: [
            { value: null, label: `None: ${configurationId.none}` },
            ...configurations.map(({ id, name, identifier, enabled }) => ({
              value: id,
              label: enabled ? name : `${name} (off)`,
              hint: identifier,
            })),
          ],
        }}
      />
      <CustomField<string>
        name="outputSchema"
        label={outputSchema.label}
        optional
        hint={outputSchema.hint}
      >
        {(control, { value, onChange }) => (
          <SchemaField field={control} text={value} onType={onChange} />
        )}
      </CustomField>
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField name="costCapMicroUsd" shape={costCapMicroUsd} />
        {hasCap && <FormField name="costCapMode" shape={costCapMode} />}
      </div>
    </>
  )
}
