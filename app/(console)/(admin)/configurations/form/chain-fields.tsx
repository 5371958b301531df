'use client'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useFormAround } from '@/components/forms/form'
import { CustomField } from '@/components/forms/form-field'
import { priceOf } from '@/components/nouns/model-words'
import { Badge } from '@/components/ui/badge'
import type { ModelChoice as Model } from '@/lib/domains/configurations/schemas'
import { toolWords } from '@/lib/domains/models/shape'
import { zoneWords } from '@/lib/protocol/configuration-form'
import { formatTokens } from '@/lib/protocol/format'
import type { ConfigurationDraft } from './configuration-draft'
import { FallbackRow } from './fallback-row'
import { ModelChoice } from './model-choice'

const mostFallbacks = 5

/** Shows the fields for the model and its fallbacks. */
export function ChainFields({
  draft,
  models,
}: {
  draft: Pick<ConfigurationDraft, 'modelId' | 'fallbackModelIds'>
  models: readonly Model[]
}) {
  const { id, change } = useFormAround()
  const list = useRef<HTMLDivElement>(null)
  const byId = new Map(models.map((model) => [model.id, model]))
  const model = byId.get(draft.modelId) ?? null
  const fallbacks = draft.fallbackModelIds.flatMap((id) => byId.get(id) ?? [])
  const used = new Set([draft.modelId, ...draft.fallbackModelIds])
  const setFallbacks = (fallbackModelIds: string[]) => change({ fallbackModelIds })
  const ids = fallbacks.map(({ id }) => id)
  const remove = (place: number) => {
    flushSync(() => setFallbacks(ids.toSpliced(place, 1)))
    list.current?.querySelector<HTMLElement>(`[id="${id}-fallbackModelIds"]`)?.focus()
  }
  return (
    <div ref={list} className="flex flex-col gap-4">
      <CustomField<string>
        name="modelId"
        label="Model"
        hint={model && <ModelFacts model={model} />}
      >
        {(control, { onChange }) => (
          <ModelChoice
            {...control}
            name="Model"
            empty="Pick a model"
            // A model that is already in the chain would be asked twice.
            models={models.filter(({ id }) => id === draft.modelId || !used.has(id))}
            chosen={model}
            onChoose={(picked) => onChange(picked.id)}
          />
        )}
      </CustomField>
      <CustomField<string[]>
        name="fallbackModelIds"
        label="Fallback models"
        optional
        hint="Used in this order if the models before cannot answer. The trace shows it when that happens."
      >
        {(control) => (
          <div className="flex flex-col gap-2">
            {fallbacks.length > 0 && (
              <ol aria-label="Fallback models" className="divide-y rounded-md border bg-surface-1">
                {fallbacks.map((each, place) => (
                  <FallbackRow
                    key={each.id}
                    model={each}
                    place={place}
                    last={fallbacks.length - 1}
                    onMove={(to) => setFallbacks(ids.toSpliced(place, 1).toSpliced(to, 0, each.id))}
                    onRemove={() => remove(place)}
                  />
                ))}
              </ol>
            )}
            {fallbacks.length < mostFallbacks ? (
              <ModelChoice
                {...control}
                name="Add a fallback"
                empty="Add a fallback model"
                models={models.filter(({ id }) => !used.has(id))}
                chosen={null}
                onChoose={({ id }) => setFallbacks([...ids, id])}
              />
            ) : (
              <p className="text-muted text-sm">At most {mostFallbacks} fallback models.</p>
            )}
          </div>
        )}
      </CustomField>
    </div>
  )
}

function ModelFacts({ model }: { model: Model }) {
  const { contextTokens, toolCalling, trustZone } = model
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>{priceOf(model)}</span>
      {contextTokens !== null && (
        <span className="numeric">{formatTokens(contextTokens)} context window</span>
      )}
      <Badge>{zoneWords[trustZone]}</Badge>
      <Badge tone={toolCalling === 'confirmed' ? 'ok' : 'warning'}>{toolWords[toolCalling]}</Badge>
      {!model.enabled && <Badge tone="warning">Switched off</Badge>}
    </span>
  )
}
