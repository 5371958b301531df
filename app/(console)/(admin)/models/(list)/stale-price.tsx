'use client'
import { useAct } from '@/components/forms/use-act'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import type { ModelListing } from '@/lib/domains/models/schemas'
import { stalePriceWords } from '@/lib/protocol/stale-price'
import { takeOver } from '../actions'

/** Says that a price may be out of date, and links to the price of the catalogue where there is one. */
export function StalePrice({ model }: { model: ModelListing }) {
  const { busy, act } = useAct()
  const { id, displayName, stalePrice } = model
  if (!stalePrice) return null
  const take = () =>
    act(() => takeOver({ id, part: 'prices' }), {
      failed: 'Nothing was changed',
      done: `Catalogue prices apply to ${displayName} from now on`,
    })
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Badge tone="warning">{stalePriceWords(stalePrice)}</Badge>
      {stalePrice.fromCatalogue && (
        <Button size="sm" loading={busy} onClick={take}>
          Use catalogue price<span className="sr-only"> for {displayName}</span>
        </Button>
      )}
    </span>
  )
}
