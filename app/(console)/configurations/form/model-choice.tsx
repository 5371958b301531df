'use client'
import { Command } from 'cmdk'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { groupBy } from '@/components/group-by'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import type { FieldControl } from '@/components/ui/field'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import type { ModelChoice as Model } from '@/lib/configurations/list-model-choices'
import { toolWords } from '../../models/model-words'
import { priceOf } from '../../playground/configuration-words'
import { zoneWords } from '../configuration-words'

type Props = FieldControl & {
  models: readonly Model[]
  /** Null = none; the button then says `empty`. */
  chosen: Model | null
  empty: string
  /** Begins the name of the button: "Model". */
  name: string
  onChoose: (model: Model) => void
}

/** One model of many, by connection, found by typing. */
export function ModelChoice({ models, chosen, empty, name, onChoose, ...control }: Props) {
  const [open, setOpen] = useState(false)
  const choose = (model: Model) => {
    setOpen(false)
    onChoose(model)
  }
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <button
          type="button"
          {...control}
          aria-label={`${name}: ${chosen ? `${chosen.name} at ${chosen.connectionName}` : empty}`}
          className={cn(
            controlStyles,
            'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
          )}
        >
          <span className={cn('truncate', !chosen && 'text-muted')}>
            {chosen ? `${chosen.name} · ${chosen.connectionName}` : empty}
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        aria-label="Models"
        className="w-[min(32rem,calc(100vw-2rem))] p-0"
      >
        <Command label="Models" loop defaultValue={chosen?.id}>
          <Command.Input
            placeholder="Search models and connections"
            className="h-9 w-full border-b bg-transparent px-3 text-base text-strong outline-none pointer-coarse:text-lg"
          />
          <Command.List className="max-h-80 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-3 text-muted text-sm">
              No model fits this search.
            </Command.Empty>
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
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
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
    <Command.Item
      value={model.id}
      keywords={[model.name, model.modelId, model.connectionName]}
      disabled={!model.enabled}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 data-[disabled=true]:cursor-not-allowed data-[disabled=true]:opacity-60 data-[selected=true]:bg-surface-2 pointer-coarse:min-h-11"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-strong">{model.name}</span>
        <span className="block truncate text-muted text-sm">
          {model.enabled
            ? `${model.modelId} · ${priceOf(model)}`
            : 'Switched off: no run reaches it'}
        </span>
      </span>
      {model.toolCalling !== 'confirmed' && (
        <Badge tone="warning">{toolWords[model.toolCalling]}</Badge>
      )}
      {isChosen && <Check className="size-4 shrink-0 text-link" aria-hidden />}
    </Command.Item>
  )
}
