import type { GovernedConfiguration } from '@toolgate/server/domains/configurations/schemas'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'

type Standing = Pick<GovernedConfiguration, 'enabled' | 'chain' | 'fault'>

/**
 * Returns in two words why nobody can start a run with a configuration that is on: its model or that model's connection
 * is off, or it has to be edited. Null = people can.
 */
export function haltedWord({ enabled, chain, fault }: Standing): string | null {
  if (!enabled) return null
  if (chain[0]?.enabled === false) return 'Model off'
  return fault === null ? null : 'Cannot run'
}

export function Halted({ configuration }: { configuration: Standing }) {
  const word = haltedWord(configuration)
  if (word === null) return null
  const text = word === 'Model off' ? 'Cannot run: its model is off' : word
  return <StatePill state="warning">{text}</StatePill>
}

/** Shows what must be edited before a run can start. */
export function FaultNotice({ fault }: Pick<GovernedConfiguration, 'fault'>) {
  if (fault === null) return null
  return (
    <p className="max-w-[72ch] text-warning">
      Cannot run. <VisibleText text={fault} />
    </p>
  )
}
