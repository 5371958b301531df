import { VisibleText } from '@/components/trace/visible-text'
import type { ModelChoice } from '@/lib/configurations/list-model-choices'
import { isPriced } from '@/lib/protocol/cost'

/** Which models of a chain an enforced cost cap keeps from being asked: what they cost cannot be watched. */
export function UnwatchedNotice({ chain }: { chain: readonly ModelChoice[] }) {
  const names = chain.filter(({ prices }) => !isPriced(prices)).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p className="max-w-[72ch] text-warning">
      <VisibleText text={names.join(', ')} /> {names.length === 1 ? 'has' : 'have'} no price. A cost
      cap that stops runs needs the price of every model, so a run ends when it comes to a model
      without a price. Add the price under Models, or set the cap to warn only.
    </p>
  )
}
