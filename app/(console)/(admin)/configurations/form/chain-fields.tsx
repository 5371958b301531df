'use client'
import type { ModelChoice as Model } from '@toolgate/server/domains/configurations/schemas'
import { Command } from 'cmdk'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormAround } from '@/components/forms/form'
import { CustomField } from '@/components/forms/form-field'
import { SearchItem, SearchPopover } from '@/components/forms/search-popover'
import { groupBy } from '@/components/group-by'
import { priceOf } from '@/components/nouns/model-words'
import { Badge } from '@/components/ui/badge'
import type { FieldControl } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { useKeptFocus } from '@/components/ui/use-kept-focus'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { toolWords } from '@/lib/domains/models/shape'
import { zoneWord } from '@/lib/protocol/trust-words'
import { formatTokens } from '@/lib/words/format'
import type { ConfigurationDraft } from './configuration-draft'

const mostFallbacks = 5

type ChainProps = {
  draft: Pick<ConfigurationDraft, 'modelId' | 'fallbackModelIds'>
  models: readonly Model[]
}

/** Shows the field for the model that runs ask first, with its connection, trust zone and price. */
export function ModelField({ draft, models }: ChainProps) {
  const model = models.find(({ id }) => id === draft.modelId) ?? null
  return (
    <CustomField<string>
      name="modelId"
      label={configurationShape.modelId.label}
      hint={model && <ModelFacts model={model} />}
    >
      {(control, { onChange }) => (
        <ModelChoice
          {...control}
          name="Model"
          empty="Pick a model"
          // A model that is already in the chain would be asked twice.
          models={models.filter(({ id }) => !draft.fallbackModelIds.includes(id))}
          chosen={model}
          onChoose={(picked) => onChange(picked.id)}
        />
      )}
    </CustomField>
  )
}

/** Shows the field for the models that are asked when those before them cannot answer. */
export function FallbackField({ draft, models }: ChainProps) {
  const { id, change } = useFormAround()
  const list = useRef<HTMLDivElement>(null)
  const byId = new Map(models.map((model) => [model.id, model]))
  const fallbacks = draft.fallbackModelIds.flatMap((id) => byId.get(id) ?? [])
  const used = new Set([draft.modelId, ...draft.fallbackModelIds])
  const setFallbacks = (fallbackModelIds: string[]) => change({ fallbackModelIds })
  const ids = fallbacks.map(({ id }) => id)
  const remove = (place: number) => {
    flushSync(() => setFallbacks(ids.toSpliced(place, 1)))
    list.current?.querySelector<HTMLElement>(`[id="${id}-fallbackModelIds"]`)?.focus()
  }
  return (
    <CustomField<string[]>
      name="fallbackModelIds"
      label={configurationShape.fallbackModelIds.label}
      optional
      hint="Asked in this order when the models before cannot answer."
    >
      {(control) => (
        <div ref={list} className="flex flex-col gap-2">
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
              empty="Add a fallback"
              models={models.filter(({ id }) => !used.has(id))}
              chosen={null}
              onChoose={({ id }) => setFallbacks([...ids, id])}
            />
          ) : (
            <p className="text-muted text-sm">At most {mostFallbacks}.</p>
          )}
        </div>
      )}
    </CustomField>
  )
}

function ModelFacts({ model }: { model: Model }) {
  const { contextTokens, toolCalling } = model
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>{priceOf(model)}</span>
      {contextTokens !== null && (
        <span className="numeric">{formatTokens(contextTokens)} context</span>
      )}
      <Badge>{zoneWord(model)}</Badge>
      <Badge tone={toolCalling === 'confirmed' ? 'ok' : 'warning'}>{toolWords[toolCalling]}</Badge>
      {!model.enabled && <Badge tone="warning">Switched off</Badge>}
    </span>
  )
}

type RowProps = {
  model: Model
  /** The index of the model among the fallbacks, from 0. */
  place: number
  last: number
  onMove: (to: number) => void
  onRemove: () => void
}

/** Shows one fallback model, which is asked when those before it could not answer. */
function FallbackRow({ model, place, last, onMove, onRemove }: RowProps) {
  const { name, connectionName, enabled } = model
  const move = { name, place, last, onMove }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="numeric text-muted text-sm">{place + 1}</span>
      <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        <span className="text-strong">{name}</span>{' '}
        <span className="text-muted">at {connectionName}</span>
      </span>
      {!enabled && <Badge tone="warning">Switched off</Badge>}
      <Badge>{zoneWord(model)}</Badge>
      <span className="flex gap-1">
        <MoveButton {...move} step={-1} />
        <MoveButton {...move} step={1} />
        <IconButton label={`Remove ${name}`} size="sm" onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

/**
 * Shows a button that moves the row. At the end of the list it stays enabled and does nothing, because a disabled
 * button would lose the focus.
 */
function MoveButton({
  name,
  place,
  last,
  step,
  onMove,
}: {
  name: string
  place: number
  last: number
  step: 1 | -1
  onMove: (to: number) => void
}) {
  const { ref, keepFocus } = useKeptFocus()
  const to = place + step
  const atEnd = to < 0 || to > last
  const Icon = step === -1 ? ArrowUp : ArrowDown
  return (
    <IconButton
      label={`Try ${name} ${step === -1 ? 'earlier' : 'later'}`}
      size="sm"
      aria-disabled={atEnd || undefined}
      ref={ref}
      onClick={() => {
        keepFocus()
        if (!atEnd) onMove(to)
      }}
    >
      <Icon aria-hidden />
    </IconButton>
  )
}

type ChoiceProps = FieldControl & {
  models: readonly Model[]
  /** Null = no model is picked, and the button says `empty`. */
  chosen: Model | null
  empty: string
  /** The beginning of the button's accessible name: "Model". */
  name: string
  onChoose: (model: Model) => void
}

/** Shows a choice of one model, by connection, found by typing. */
function ModelChoice({ models, chosen, empty, name, onChoose, ...control }: ChoiceProps) {
  const [open, setOpen] = useState(false)
  const choose = (model: Model) => {
    setOpen(false)
    onChoose(model)
  }
  return (
    <SearchPopover
      open={open}
      onOpenChange={setOpen}
      label="Models"
      searchLabel="Search models"
      nothing="No matches"
      start={chosen?.id}
      shown={chosen ? `${chosen.name} · ${chosen.connectionName}` : empty}
      isMuted={!chosen}
      button={{
        ...control,
        'aria-label': `${name}: ${chosen ? `${chosen.name} at ${chosen.connectionName}` : empty}`,
      }}
      className="w-[min(32rem,calc(100vw-2rem))]"
    >
      {[...groupBy(models, ({ connectionName }) => connectionName)].map(
        ([connection, itsModels]) => (
          <Command.Group
            key={connection}
            heading={<Heading connection={connection} models={itsModels} />}
          >
            {itsModels.map((model) => (
              <Option
                key={model.id}
                model={model}
                isChosen={model.id === chosen?.id}
                onSelect={() => choose(model)}
              />
            ))}
          </Command.Group>
        ),
      )}
    </SearchPopover>
  )
}

function Heading({
  connection,
  models: [first],
}: {
  connection: string
  models: Model[]
}): ReactNode {
  return (
    <span className="flex items-center gap-2 px-2 pt-2 pb-1 text-muted text-sm">
      {connection}
      {first && <Badge>{zoneWord(first)}</Badge>}
    </span>
  )
}

function Option({
  model,
  isChosen,
  onSelect,
}: {
  model: Model
  isChosen: boolean
  onSelect: () => void
}) {
  return (
    <SearchItem
      value={model.id}
      keywords={[model.name, model.modelId, model.connectionName]}
      disabled={!model.enabled}
      onSelect={onSelect}
      name={model.name}
      about={model.enabled ? `${model.modelId} · ${priceOf(model)}` : 'Switched off'}
      isChosen={isChosen}
    >
      {model.toolCalling !== 'confirmed' && (
        <Badge tone="warning">{toolWords[model.toolCalling]}</Badge>
      )}
    </SearchItem>
  )
}
