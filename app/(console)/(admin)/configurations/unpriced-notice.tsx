import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import { VisibleText } from '@/components/trace/visible-text'
import { isPriced } from '@/lib/protocol/cost/cost'
import { noPriceWords, pricesFor } from '@/lib/protocol/model/model-families'
import type { ConfigurationOptions } from '@/lib/protocol/parameters/parameters'

type Props = {
  chain: readonly ModelChoice[]
  options: Pick<ConfigurationOptions, 'serviceTier' | 'extraBody'>
}

/** Shows the models of the chain without a price. Under an enforced cost cap, a run ends when it reaches one. */
export function UnpricedNotice({ chain, options }: Props) {
  const request = chain.map((model) => ({ ...model, ...pricesFor(model, options) }))
  const without = request.filter(({ prices }) => !isPriced(prices))
  if (without.length === 0) return null
  const names = without.map(({ name }) => name)
  const cures = [...new Set(without.map((model) => noPriceWords(model).cure))]
  return (
    <p className="max-w-[72ch] text-warning">
      <VisibleText text={names.join(', ')} /> {names.length === 1 ? 'has' : 'have'} no price, so the
      cost cap ends runs there. To change that, {cures.join(', ')}, or set the cap to warn only.
    </p>
  )
}
