'use client'
import type { ReactNode } from 'react'
import { Form } from '@/components/forms/form'
import { FormField, FormFields } from '@/components/forms/form-field'
import type { EditableConfiguration } from '@/lib/domains/configurations/schemas'
import { configurationShape } from '@/lib/domains/configurations/shape'
import type { FieldShape } from '@/lib/protocol/field-shape'
import { JsonObject } from '@/lib/protocol/parameter-values'
import { pick, readParameter } from '@/lib/protocol/parameters'
import { UnpricedNotice } from '../unpriced-notice'
import { AccessFields } from './access-fields'
import { ChainFields } from './chain-fields'
import { ConflictNotice } from './conflict-notice'
import { OptionFields, ParameterFields } from './parameter-fields'
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
}

/** Shows the form that adds a configuration or changes a stored one. */
export function ConfigurationForm({ stored, choices, modelId = '' }: Props) {
  const { form, draft, conflict } = useConfigurationForm(stored, modelId)
  const configurationId = stored?.id ?? null
  const effect = usePolicyPreview(configurationId, draft)
  const chain = [draft.modelId, ...draft.fallbackModelIds].flatMap(
    (id) => choices.models.find((model) => model.id === id) ?? [],
  )
  return (
    <Form form={form} className="max-w-160 gap-8">
      {conflict && <ConflictNotice {...conflict} />}
      <Part title="Name">
        <NameFields isNew={stored === null} />
      </Part>
      <Part title="Model">
        <ChainFields draft={draft} models={choices.models} />
        <PolicyNotice effect={effect} />
      </Part>
      <Part title="Prompt">
        <PromptField text={draft.systemPrompt} contextTokens={chain[0]?.contextTokens ?? null} />
      </Part>
      <Part title="Parameters">
        <ParameterFields draft={draft} chain={chain} />
        <OptionFields draft={draft} chain={chain} />
      </Part>
      <Part title="Limits">
        <LimitFields hasCap={draft.costCapMicroUsd.trim() !== ''} />
        {draft.costCapMicroUsd.trim() !== '' && draft.costCapMode === 'enforce' && (
          <UnpricedNotice chain={chain} options={pricedOptions(draft)} />
        )}
      </Part>
      <Part title="Tools and people">
        <AccessFields choices={choices} />
      </Part>
      <SaveBar configurationId={configurationId} effect={effect} />
    </Form>
  )
}

/** Returns the part of a draft that decides what its models cost. Text that is not a JSON object yet is left out. */
function pricedOptions({ serviceTier, extraBody }: Record<'serviceTier' | 'extraBody', string>) {
  const read = JsonObject.nullable().safeParse(readParameter('extraBody', extraBody))
  return { serviceTier: serviceTier.trim() || null, extraBody: read.data ?? null }
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  )
}

const ofNew = pick(configurationShape, ['name', 'identifier', 'description'])
const ofStored: Record<string, FieldShape> = {
  ...ofNew,
  identifier: {
    ...ofNew.identifier,
    hint: 'Used on the command line and in the API. The old identifier stops working.',
  },
}

/** Shows the fields for name, identifier and description. */
function NameFields({ isNew }: { isNew: boolean }) {
  return <FormFields fields={isNew ? ofNew : ofStored} />
}

const limits = pick(configurationShape, ['maxRounds', 'timeLimitMs', 'costCapMicroUsd'])
const { costCapMode, toolMode } = configurationShape

/** Shows the fields for the limits of a run. */
function LimitFields({ hasCap }: { hasCap: boolean }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormFields fields={limits} />
      <FormField name="costCapMode" shape={costCapMode} disabled={!hasCap} />
      <FormField name="toolMode" shape={toolMode} />
    </div>
  )
}
