'use client'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { Prices } from '@/lib/protocol/cost'
import { usdText } from '@/lib/protocol/usd-text'
import { priceNames, priceWords } from './model-words'

const hints: Partial<Record<keyof Prices, string>> = {
  cachedInput: 'Tokens read from the cache.',
  cacheWrite: 'Tokens written to the cache.',
  reasoning: 'Leave empty to use the output price.',
}

/** The five prices of a model, in US dollars per million tokens. */
export function PriceFields({
  id,
  prices,
  wrong,
}: {
  id: string
  prices: Prices
  wrong: Partial<Record<string, string>>
}) {
  return (
    <fieldset>
      <legend className="font-medium text-strong">US dollars per million tokens</legend>
      <p className="mb-2 text-muted text-sm">
        Leave empty if unknown; runs then show as unpriced. Enter 0 if it is free.
      </p>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {priceNames.map((name) => {
          const value = prices[name]
          return (
            <Field
              key={name}
              id={`${id}-${name}`}
              label={priceWords[name]}
              hint={hints[name]}
              error={wrong[`prices.${name}`]}
              optional
            >
              {(control) => (
                <Input
                  {...control}
                  name={`price-${name}`}
                  inputMode="decimal"
                  autoComplete="off"
                  className="numeric"
                  placeholder="unknown"
                  defaultValue={value === null ? '' : usdText(value)}
                />
              )}
            </Field>
          )
        })}
      </div>
      {wrong.prices && <p className="mt-2 text-error text-sm">{wrong.prices}</p>}
    </fieldset>
  )
}

/** What was typed into them; the server reads it. */
export function pricesTyped(text: (field: string) => string): Record<keyof Prices, string> {
  const typed = (name: keyof Prices) => text(`price-${name}`)
  return {
    input: typed('input'),
    output: typed('output'),
    cachedInput: typed('cachedInput'),
    cacheWrite: typed('cacheWrite'),
    reasoning: typed('reasoning'),
  }
}
