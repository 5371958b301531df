'use client'
import type { OfferRow } from '@toolgate/server/probes/offer-row'
import { FormField } from '@/components/forms/form-field'
import { priceText } from '@/components/nouns/model-words'
import { Section } from '@/components/ui/section'
import { unpriced } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import { parseUsd } from '@/lib/words/format'

/** The answer; "" = none yet. */
export type PriceAnswer = {
  price: '' | 'guess' | 'own' | 'free' | 'unknown'
  inputPrice: string
  outputPrice: string
}

export const noPriceAnswer: PriceAnswer = { price: '', inputPrice: '', outputPrice: '' }

/** Returns whether the price of a model has to be asked for: neither the provider's catalogue nor the site knows it. */
export function asksPrice(offer: OfferRow | undefined): offer is OfferRow {
  return offer !== undefined && offer.hereId === null && offer.prices === null
}

/** Returns the prices of the answer, with where they are from; null = unknown. NaN = it is no figure. */
export function pricesOf(
  { price, inputPrice, outputPrice }: PriceAnswer,
  offer: OfferRow,
): { prices: Prices; source: string } | null {
  const usd = (text: string) => parseUsd(text) ?? Number.NaN
  switch (price) {
    case 'guess':
      return offer.guess && { prices: offer.guess.prices, source: `As at ${offer.guess.from}` }
    case 'own':
      return {
        prices: { ...unpriced, input: usd(inputPrice), output: usd(outputPrice) },
        source: 'Entered',
      }
    case 'free':
      return { prices: { ...unpriced, input: 0, output: 0 }, source: 'Free' }
    case 'unknown':
    case '':
      return null
    default:
      return price satisfies never
  }
}

/** Asks what a model costs, in US dollars per million tokens. */
export function PriceQuestion({ offer, price }: { offer: OfferRow; price: PriceAnswer['price'] }) {
  const { guess } = offer
  const choices = [
    ...(guess
      ? [
          {
            value: 'guess',
            label: `${priceText(guess.prices.input)} in, ${priceText(guess.prices.output)} out, as at ${guess.from}`,
          },
        ]
      : []),
    { value: 'own', label: 'Enter the price' },
    { value: 'free', label: 'Free' },
    { value: 'unknown', label: 'Unknown' },
  ]
  return (
    <Section title="Price">
      <FormField
        name="price"
        shape={{
          kind: 'select',
          label: 'Per million tokens',
          placeholder: 'Pick one',
          choices,
        }}
        hint={price === 'unknown' ? 'Cost budgets refuse it until it has a price.' : undefined}
      />
      {price === 'own' && (
        <div className="flex flex-wrap gap-4">
          <FormField name="inputPrice" shape={{ kind: 'money', label: 'Input (US dollars)' }} />
          <FormField name="outputPrice" shape={{ kind: 'money', label: 'Output (US dollars)' }} />
        </div>
      )}
    </Section>
  )
}
