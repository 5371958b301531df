'use client'
import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { SearchItem, SearchPopover } from '@/components/forms/search-popover'
import { groupBy } from '@/components/group-by'
import { priceOf } from '@/components/nouns/model-words'
import { Badge } from '@/components/ui/badge'
import type { FieldControl } from '@/components/ui/field'
import type { ModelChoice as Model } from '@/lib/domains/configurations/schemas'
import { toolWords } from '@/lib/domains/models/shape'
import { zoneWords } from '@/lib/protocol/configuration-form'

type Props = FieldControl & {
  models: readonly Model[]
  /** Null = none; the button then says `empty`. */
  chosen: Model | null
  empty: string
  /** Begins the name of the button: "Model". */
  name: string
  onChoose: (model: Model) => void
}

/** Shows a choice of one model, by connection, found by typing. */
export function ModelChoice({ models, chosen, empty, name, onChoose, ...control }: Props) {
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
      searchLabel="Search models and connections"
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
      {first && <Badge>{zoneWords[first.trustZone]}</Badge>}
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
      about={
        model.enabled ? `${model.modelId} · ${priceOf(model)}` : 'Switched off: runs cannot use it'
      }
      isChosen={isChosen}
    >
      {model.toolCalling !== 'confirmed' && (
        <Badge tone="warning">{toolWords[model.toolCalling]}</Badge>
      )}
    </SearchItem>
  )
}
