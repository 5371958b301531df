import { VisibleText } from '@/components/trace/visible-text'
import type { ModelChoice } from '@/lib/configurations/list-model-choices'
import { isPriced } from '@/lib/protocol/cost'
import { pricesFor } from '@/lib/protocol/service-tier'

type Props = { chain: readonly ModelChoice[]; serviceTier: string | null }

/** Which models of a chain an enforced cost cap keeps from being asked: what they cost cannot be watched. */
export function UnwatchedNotice({ chain, serviceTier }: Props) {
  const names = chain
    .filter((model) => !isPriced(pricesFor(model, { serviceTier }).prices))
    .map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p className="max-w-[72ch] text-warning">
      <VisibleText text={names.join(', ')} /> {names.length === 1 ? 'has' : 'have'} no price
      {serviceTier !== null && ' in this service tier'}. A cost cap that stops runs needs the price
      of every model, so a run ends when it comes to a model without a price. Add the price under
      Models{serviceTier !== null && ', choose another service tier'}, or set the cap to warn only.
    </p>
  )
}
