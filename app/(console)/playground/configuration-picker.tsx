'use client'
import { Command } from 'cmdk'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import type { ConfigurationListing } from '@/lib/configurations/schemas'
import { zoneWords } from '../configurations/configuration-words'
import { toolWords } from '../models/model-words'
import { priceOf } from './configuration-words'

type ChoiceProps = {
  configurations: ConfigurationListing[]
  chosen: ConfigurationListing | null
  onChoose: (id: string) => void
}
type Props = ChoiceProps & { error?: string }

/** Which configuration runs the prompt, and what that means: model, provider, where data goes, price. */
export function ConfigurationPicker({ configurations, chosen, onChoose, error }: Props) {
  const [open, setOpen] = useState(false)
  // What to do about it stands where the trace would be.
  if (configurations.length === 0) return null
  const choose = (id: string) => {
    onChoose(id)
    setOpen(false)
  }
  return (
    <section aria-label="Configuration" className="flex flex-col gap-2">
      <h2 className="font-medium text-base">Configuration</h2>
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <button
            type="button"
            aria-label={`Configuration: ${chosen?.name ?? 'none chosen'}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'configuration-error' : undefined}
            className={cn(
              controlStyles,
              'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
            )}
          >
            <span className={cn('truncate', !chosen && 'text-muted')}>
              {chosen?.name ?? 'Pick a configuration'}
            </span>
            <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
          </button>
        </PopoverTrigger>
        <PopoverContent align="start" aria-label="Configurations" className="p-0">
          <Choices configurations={configurations} chosen={chosen} onChoose={choose} />
        </PopoverContent>
      </Popover>
      {error && (
        <p id="configuration-error" className="text-error text-sm">
          {error}
        </p>
      )}
      {chosen && <Facts configuration={chosen} />}
    </section>
  )
}

function Choices({ configurations, chosen, onChoose }: ChoiceProps) {
  return (
    <Command label="Configurations" loop defaultValue={chosen?.id}>
      <Command.Input
        placeholder="Search configurations"
        className="h-9 w-full border-b bg-transparent px-3 text-base text-strong outline-none pointer-coarse:text-lg"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1">
        <Command.Empty className="px-2 py-3 text-muted text-sm">
          No configuration fits this search.
        </Command.Empty>
        {configurations.map((each) => (
          <Command.Item
            key={each.id}
            value={each.id}
            keywords={[each.name, each.identifier, each.modelName, each.connectionName]}
            onSelect={() => onChoose(each.id)}
            className="flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 data-[selected=true]:bg-surface-2"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-strong">{each.name}</span>
              <span className="block truncate text-muted text-sm">
                {each.modelName} · {each.connectionName} · {priceOf(each)}
              </span>
            </span>
            {each.id === chosen?.id && <Check className="size-4 shrink-0 text-link" aria-hidden />}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}

function Facts({ configuration }: { configuration: ConfigurationListing }) {
  const demo = configuration.wire === 'demo'
  const price = priceOf(configuration)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm [&>dd]:min-w-0 [&>dd]:[overflow-wrap:anywhere] [&>dt]:text-muted">
      <dt>{demo ? 'Stand-in' : 'Model'}</dt>
      <dd>{configuration.modelName}</dd>
      <dt>Connection</dt>
      <dd>{configuration.connectionName}</dd>
      <dt>Trust zone</dt>
      <dd>{zoneWords[configuration.trustZone]}</dd>
      <dt>Price</dt>
      <dd>
        {demo || price === 'unpriced' ? (
          <Badge tone="warning" className="h-auto whitespace-normal py-px">
            {price}
          </Badge>
        ) : (
          price
        )}
      </dd>
      {configuration.toolCalling !== 'confirmed' && (
        <>
          <dt>Tool calling</dt>
          <dd>
            <Badge tone="warning">{toolWords[configuration.toolCalling]}</Badge>
          </dd>
        </>
      )}
    </dl>
  )
}
