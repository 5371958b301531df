'use client'
import { FieldGroup, setFields } from '@/components/forms/field-group'
import { CustomField, FormField } from '@/components/forms/form-field'
import { lazyPart } from '@/components/ui/lazy-part'
import { tasks } from '@/lib/domains/tasks/shape'
import type { TaskChoices } from './read-task-choices'
import { emptyDraft, type TaskDraft } from './task-draft'

/** It stands in a group that is folded at first, and checks schemas. */
const SchemaField = lazyPart(
  async () => (await import('@/components/forms/schema-field')).SchemaField,
)

const { configurationId, outputSchema, costCapMicroUsd, costCapMode } = tasks.fields
const capFields = { costCapMicroUsd, costCapMode }

/** Shows the fields for a task's default configuration, the schema of its answers, and the cost cap of a run. */
export function RunWith({
  draft,
  configurations,
}: {
  draft: TaskDraft
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
      <FieldGroup
        title="Answer and cost"
        fields={['outputSchema', ...Object.keys(capFields)]}
        set={[
          ...(draft.outputSchema.trim() === '' ? [] : [`${outputSchema.label} set`]),
          ...setFields(capFields, draft, emptyDraft),
        ]}
      >
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
          {draft.costCapMicroUsd.trim() !== '' && (
            <FormField name="costCapMode" shape={costCapMode} />
          )}
        </div>
      </FieldGroup>
    </>
  )
}
