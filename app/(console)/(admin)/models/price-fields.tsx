'use client'
import { priceWords } from '@/components/nouns/model-words'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { usdText } from '@/lib/protocol/codecs'
import { type LongPrompt, type PriceKind, type Prices, priceKinds } from '@/lib/protocol/cost'

const hints: Partial<Record<PriceKind, string>> = {
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
        {priceKinds.map((name) => {
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
      <LongPromptFields
        id={id}
        longPrompt={prices.longPrompt ?? null}
        error={wrong['prices.longPrompt']}
      />
      {wrong.prices && <p className="mt-2 text-error text-sm">{wrong.prices}</p>}
    </fieldset>
  )
}

const longFields = [
  ['aboveTokens', 'Limit in tokens', 'none'],
  ['inputPercent', 'Percent of input', '100'],
  ['outputPercent', 'Percent of output', '100'],
] as const

/** Shows the fields for the price of requests whose prompt is longer than a limit of the provider. */
function LongPromptFields({
  id,
  longPrompt,
  error,
}: {
  id: string
  longPrompt: LongPrompt | null
  error: string | undefined
}) {
  return (
    <fieldset className="mt-4">
      <legend className="font-medium text-strong">
        Long prompts <span className="font-normal text-muted">(optional)</span>
      </legend>
      <p className="mb-2 text-muted text-sm">
        What requests with more input tokens than a limit cost, in percent of the prices above.
      </p>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
        {longFields.map(([name, label, placeholder], index) => (
          <Field
            key={name}
            id={`${id}-long-${name}`}
            label={label}
            error={index === 0 ? error : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name={`long-${name}`}
                inputMode="numeric"
                autoComplete="off"
                className="numeric"
                placeholder={placeholder}
                defaultValue={longPrompt?.[name] ?? ''}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  )
}

/** Returns the typed prices, which the server parses. */
export function pricesTyped(text: (field: string) => string) {
  const typed = (name: PriceKind) => text(`price-${name}`)
  return {
    input: typed('input'),
    output: typed('output'),
    cachedInput: typed('cachedInput'),
    cacheWrite: typed('cacheWrite'),
    reasoning: typed('reasoning'),
    longPrompt: {
      aboveTokens: text('long-aboveTokens'),
      inputPercent: text('long-inputPercent'),
      outputPercent: text('long-outputPercent'),
    },
  }
}
