'use client'
import type { OfferRow } from '@toolgate/server/probes/offer-row'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useFieldState } from '@/components/forms/form-field'
import { priceText, toolPills } from '@/components/nouns/model-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { SearchInput } from '@/components/ui/search-input'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { toolWords } from '@/lib/domains/models/shape'
import { matchesSearch } from '@/lib/words/matches-search'

const mostShown = 100
/** Fewer are read faster than searched. */
const fewest = 8

/** Shows the models on offer, the sensible one first. Prices are those per million tokens in and out. */
export function ModelChoices({
  offers,
  sensible,
}: {
  offers: readonly OfferRow[]
  sensible: string | null
}) {
  const { id, value, error, onChange } = useFieldState<string>('modelId')
  const [search, setSearch] = useState('')
  const found = offers.filter((each) => matchesSearch(search, [each.modelId, each.displayName]))
  const isFirst = (each: OfferRow) => Number(each.modelId === sensible)
  const shown = found.toSorted((one, other) => isFirst(other) - isFirst(one)).slice(0, mostShown)
  return (
    <Section title="Model">
      {offers.length === 0 && <p>No chat model listed. Enable one there, then reload.</p>}
      {offers.length > fewest && (
        <SearchInput label="Search models" value={search} onChange={setSearch} />
      )}
      {offers.length > 0 && (
        <div
          role="radiogroup"
          aria-label="Model"
          aria-describedby={error && `${id}-error`}
          className="flex max-h-80 flex-col divide-y overflow-y-auto rounded-md border bg-surface-1"
        >
          {shown.map((offer) => (
            <label
              key={offer.modelId}
              className="flex cursor-pointer items-start gap-3 px-3 py-2 hover:bg-surface-2 has-checked:bg-surface-2"
            >
              <input
                type="radio"
                name={id}
                className="mt-1 size-4 shrink-0 accent-accent"
                value={offer.modelId}
                checked={offer.modelId === value}
                onChange={() => onChange(offer.modelId)}
              />
              <Offer offer={offer} isSensible={offer.modelId === sensible} />
            </label>
          ))}
          {shown.length === 0 && <p className="p-3 text-muted">No matches</p>}
        </div>
      )}
      {found.length > shown.length && (
        <p className="text-muted text-sm">
          First {mostShown} of {found.length}.
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="flex items-center gap-1.5 text-error text-sm">
          <CircleAlert className="size-4 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </Section>
  )
}

function Offer({ offer, isSensible }: { offer: OfferRow; isSensible: boolean }) {
  const { displayName, modelId, toolCalling, prices } = offer
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-strong [overflow-wrap:anywhere]">
        <VisibleText text={displayName} />
      </span>
      {displayName !== modelId && (
        <span className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
          <VisibleText text={modelId} />
        </span>
      )}
      {isSensible && <Badge>Suggested</Badge>}
      <span className="ml-auto flex flex-wrap items-center gap-x-3">
        <StatePill state={toolPills[toolCalling]}>{toolWords[toolCalling]}</StatePill>
        <span className="numeric text-muted text-sm">
          {prices ? `${priceText(prices.input)} / ${priceText(prices.output)}` : 'unpriced'}
        </span>
      </span>
    </span>
  )
}
