'use client'
import type { EditableConfiguration } from '@toolgate/server/domains/configurations/schemas'
import { ChangeTrial } from '@/app/(console)/(admin)/change-trial'
import { FieldGroup } from '@/components/forms/field-group'
import { Form } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { configurationShape } from '@/lib/domains/configurations/shape'
import type { ConfigurationForm as ChangedForm } from '@/lib/protocol/parameters/configuration-form'
import { allowedWords } from '../configuration-words'
import { ToolFields } from './access-fields'
import { AdvancedFields } from './advanced-fields'
import { ModelField } from './chain-fields'
import { type ConfigurationDraft, toInput } from './configuration-draft'
import { ConflictNotice } from './conflict-notice'
import { PolicyNotice } from './policy-notice'
import { PromptField } from './prompt-field'
import type { FormChoices } from './read-form-choices'
import { SaveBar } from './save-bar'
import { useConfigurationForm } from './use-configuration-form'
import { usePolicyPreview } from './use-policy-preview'

type Props = {
  /** Null = a new configuration. */
  stored: EditableConfiguration | null
  choices: FormChoices
  /** The model that a new configuration starts with; "" = none. */
  modelId?: string
  /** The form with what a run had otherwise, to be put in unsaved; null = nothing. */
  changed?: ChangedForm | null
}

/** Shows the form that adds a configuration or changes a stored one. */
export function ConfigurationForm({ stored, choices, modelId = '', changed = null }: Props) {
  const { form, draft, conflict } = useConfigurationForm(stored, { modelId, changed })
  const configurationId = stored?.id ?? null
  const effect = usePolicyPreview(configurationId, draft)
  const chain = [draft.modelId, ...draft.fallbackModelIds].flatMap(
    (id) => choices.models.find((model) => model.id === id) ?? [],
  )
  return (
    <Form form={form} className="max-w-160 gap-8">
      {conflict && <ConflictNotice {...conflict} />}
      <section aria-label="Essentials" className="flex flex-col gap-5">
        <FormField name="name" shape={configurationShape.name} />
        <ModelField draft={draft} models={choices.models} />
        <PromptField text={draft.systemPrompt} contextTokens={chain[0]?.contextTokens ?? null} />
        <FieldGroup
          title="Tools"
          fields={['allowedToolGroups', 'allowedTools']}
          set={[allowedWords(draft)]}
        >
          <ToolFields choices={choices} />
        </FieldGroup>
        <div className="flex flex-col gap-1">
          <p className="font-medium text-strong">Highest data class</p>
          {chain.length === 0 && (
            <p className="text-muted text-sm">
              Pick a model: its connection decides which data it may receive.
            </p>
          )}
          <PolicyNotice effect={effect} />
        </div>
      </section>
      <section aria-label="Advanced" className="flex flex-col">
        <h2 className="pb-2 text-lg">Advanced</h2>
        <AdvancedFields draft={draft} chain={chain} choices={choices} isNew={stored === null} />
      </section>
      {configurationId !== null && (
        <ChangeTrial draft={{ configurations: [decidingPart(configurationId, draft)] }} />
      )}
      <SaveBar configurationId={configurationId} effect={effect} />
    </Form>
  )
}

/** Returns what of the form decides about past runs. */
function decidingPart(id: string, draft: ConfigurationDraft) {
  const { allowedToolGroups, allowedTools, ...input } = toInput(draft)
  const { maxRounds, timeLimitMs, costCapMicroUsd, costCapMode } = input
  return {
    id,
    allowedToolGroups,
    allowedTools,
    maxRounds,
    timeLimitMs,
    costCapMicroUsd,
    costCapMode,
  }
}
