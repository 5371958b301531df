'use client'
import type { ModelDetails, PriceListing } from '@toolgate/server/domains/models/schemas'
import { Coins, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Section } from '@/components/ui/section'
import { PriceDialog } from './price-dialog'
import { PriceHistory } from './price-history'
import { RepriceDialog } from './reprice-dialog'

type Asked = { type: 'price'; row: PriceListing | null } | { type: 'reprice' } | null

/** Shows the prices per million tokens, their start, and what past runs cost by them. `adds`: the form is open at first. */
export function PricesSection({ model, adds }: { model: ModelDetails; adds: boolean }) {
  const [pending, setPending] = useState<Asked>(adds ? { type: 'price', row: null } : null)
  const close = () => setPending(null)
  const saved = (validFrom: string) =>
    setPending(model.firstRunAt !== null && isPast(validFrom) ? { type: 'reprice' } : null)
  return (
    <Section
      title="Prices"
      action={
        <span className="flex flex-wrap gap-2">
          {model.firstRunAt !== null && (
            <Button onClick={() => setPending({ type: 'reprice' })}>Recompute…</Button>
          )}
          <Button variant="primary" onClick={() => setPending({ type: 'price', row: null })}>
            <Plus className="size-4" aria-hidden />
            Add price
          </Button>
        </span>
      }
    >
      {model.history.length === 0 ? (
        <EmptyState icon={Coins} title="Unpriced">
          Its cost is unknown, so cost budgets refuse or ignore it.
        </EmptyState>
      ) : (
        <PriceHistory
          model={model}
          onChange={(row) => setPending({ type: 'price', row })}
          onRemoved={saved}
        />
      )}
      {pending?.type === 'price' && (
        <PriceDialog model={model} row={pending.row} onSaved={saved} onClose={close} />
      )}
      {pending?.type === 'reprice' && <RepriceDialog modelId={model.id} onClose={close} />}
    </Section>
  )
}

/** Returns whether a time is over a minute ago: a price that starts now concerns no past run. */
function isPast(at: string): boolean {
  return Date.parse(at) < Date.now() - 60_000
}
