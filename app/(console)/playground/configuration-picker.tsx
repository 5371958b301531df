'use client'
import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import { Columns3 } from 'lucide-react'
import { priceOf } from '@/components/nouns/model-words'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { toolWords } from '@/lib/domains/models/shape'
import { zoneWords } from '@/lib/protocol/trust-words'
import { ConfigurationSearch } from './configuration-search'

type Props = {
  configurations: ConfigurationListing[]
  chosen: ConfigurationListing | null
  onChoose: (id: string) => void
  /** Compares it with others; null = not now. */
  onCompare: (() => void) | null
  error?: string
}

/** Picks the configuration, and shows its model, provider, trust zone and price. */
export function ConfigurationPicker({ configurations, chosen, onChoose, onCompare, error }: Props) {
  // The area of the trace then says what to do.
  if (configurations.length === 0) return null
  return (
    <section aria-label="Configuration" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-medium text-base">Configuration</h2>
        {onCompare && (
          <Button size="sm" variant="ghost" onClick={onCompare}>
            <Columns3 className="size-4" aria-hidden />
            Compare
          </Button>
        )}
      </div>
      <ConfigurationSearch
        configurations={configurations}
        chosen={chosen?.id ?? null}
        shown={chosen?.name ?? 'Pick a configuration'}
        button={{
          'aria-label': `Configuration: ${chosen?.name ?? 'none picked'}`,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': error ? 'configuration-error' : undefined,
        }}
        onPick={onChoose}
      />
      {error && (
        <p id="configuration-error" className="text-error text-sm">
          {error}
        </p>
      )}
      {chosen && <Facts configuration={chosen} />}
    </section>
  )
}

function Facts({ configuration }: { configuration: ConfigurationListing }) {
  const { connectionName, fallbacks, leastTrusted } = configuration
  const demo = configuration.wire === 'demo'
  const price = priceOf(configuration)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm [&>dd]:min-w-0 [&>dd]:[overflow-wrap:anywhere] [&>dt]:text-muted">
      <dt>{demo ? 'Stand-in' : 'Model'}</dt>
      <dd>
        {configuration.modelName}{' '}
        {configuration.fault !== null && <Badge tone="warning">Cannot run</Badge>}
      </dd>
      <dt>Connection</dt>
      <dd>
        {connectionName} {configuration.lacksKey && <Badge tone="warning">No key</Badge>}
      </dd>
      {fallbacks.length > 0 && (
        <>
          <dt>Fallback models</dt>
          <dd>
            {fallbacks
              .map(({ modelName, connectionName }) => `${modelName} (${connectionName})`)
              .join(', then ')}
          </dd>
        </>
      )}
      <dt>Trust zone</dt>
      <dd>
        {zoneWords[leastTrusted.zone]}
        {leastTrusted.connectionName !== connectionName &&
          ` (because of ${leastTrusted.connectionName})`}
      </dd>
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
