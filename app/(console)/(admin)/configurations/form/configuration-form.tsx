'use client'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Form } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import type { EditableConfiguration } from '@/lib/domains/configurations/schemas'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { ToolFields } from './access-fields'
import { AdvancedFields } from './advanced-fields'
import { ModelField } from './chain-fields'
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
        <FormField name="name" shape={configurationShape.name} />
      </Part>
      <Part title="Model">
        <ModelField draft={draft} models={choices.models} />
      </Part>
      <Part title="Prompt">
        <PromptField text={draft.systemPrompt} contextTokens={chain[0]?.contextTokens ?? null} />
      </Part>
      <Part title="Tools">
        <ToolFields choices={choices} />
      </Part>
      <Part title="Highest data class">
        <PolicyNotice effect={effect} />
        <p className="text-muted text-sm">
          It follows from the trust zones of the models.{' '}
          {stored === null ? (
            'A higher one, approvals, memory and skills are set on the page of the configuration, once it is added.'
          ) : (
            <>
              A higher one, approvals, memory and skills are set{' '}
              <Link
                href={`/configurations/${stored.id}`}
                className="text-link underline underline-offset-2"
              >
                on the page of the configuration
              </Link>
              .
            </>
          )}
        </p>
      </Part>
      <Part title="Advanced">
        <AdvancedFields draft={draft} chain={chain} choices={choices} isNew={stored === null} />
      </Part>
      <SaveBar configurationId={configurationId} effect={effect} />
    </Form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  )
}
