'use client'
import { FormFields } from '@/components/forms/form-field'
import { priceWords } from '@/components/nouns/model-words'
import { type PriceKind, priceKinds } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import type { FieldShape } from '@/lib/shape/field-shape'
import { parseCount, parseUsd, typedFigure, usdText } from '@/lib/words/format'

/** Prices as a form holds them; "" = unknown. */
type TypedPrices = Record<PriceKind, string> & {
  longPrompt: { aboveTokens: string; inputPercent: string; outputPercent: string }
}

export function typedPrices(prices: Prices): TypedPrices {
  const typed = (kind: PriceKind) => (prices[kind] === null ? '' : usdText(prices[kind]))
  return {
    input: typed('input'),
    output: typed('output'),
    cachedInput: typed('cachedInput'),
    cacheWrite: typed('cacheWrite'),
    reasoning: typed('reasoning'),
    longPrompt: {
      aboveTokens: String(prices.longPrompt?.aboveTokens ?? ''),
      inputPercent: String(prices.longPrompt?.inputPercent ?? ''),
      outputPercent: String(prices.longPrompt?.outputPercent ?? ''),
    },
  }
}

/** Returns the prices as input. Text that is no number becomes NaN, which the server refuses beside its field. */
export function pricesOf({ longPrompt, ...usd }: TypedPrices): Prices {
  const prices = priceKinds.map((kind) => [kind, typedFigure(usd[kind], parseUsd)])
  const isGiven = Object.values(longPrompt).some((text) => text.trim() !== '')
  const count = (text: string) => parseCount(text) ?? Number.NaN
  return {
    // The list has every kind once.
    ...(Object.fromEntries(prices) as Record<PriceKind, number | null>),
    longPrompt: isGiven
      ? {
          aboveTokens: count(longPrompt.aboveTokens),
          inputPercent: count(longPrompt.inputPercent),
          outputPercent: count(longPrompt.outputPercent),
        }
      : null,
  }
}

const hints: Partial<Record<PriceKind, string>> = {
  reasoning: 'Leave empty for the output price.',
}
const prices = Object.fromEntries(
  priceKinds.map((kind): [string, FieldShape] => [
    `prices.${kind}`,
    {
      kind: 'money',
      label: priceWords[kind],
      hint: hints[kind],
      placeholder: 'unknown',
      optional: true,
    },
  ]),
)
const longPrompt: Record<string, FieldShape> = {
  'prices.longPrompt.aboveTokens': {
    kind: 'number',
    label: 'Limit in tokens',
    placeholder: 'none',
  },
  'prices.longPrompt.inputPercent': {
    kind: 'number',
    label: 'Percent of input',
    placeholder: '100',
  },
  'prices.longPrompt.outputPercent': {
    kind: 'number',
    label: 'Percent of output',
    placeholder: '100',
  },
}

/** Shows the five prices of a model, in US dollars per million tokens, and those of long prompts. */
export function PriceFields() {
  return (
    <fieldset>
      <legend className="font-medium text-strong">US dollars per million tokens</legend>
      <p className="mb-2 text-muted text-sm">Leave empty if unknown. 0 is free.</p>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <FormFields fields={prices} />
      </div>
      <fieldset className="mt-4">
        <legend className="font-medium text-strong">
          Long prompts <span className="font-normal text-muted">(optional)</span>
        </legend>
        <p className="mb-2 text-muted text-sm">Above a limit of input tokens, in percent.</p>
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
          <FormFields fields={longPrompt} />
        </div>
      </fieldset>
    </fieldset>
  )
}
