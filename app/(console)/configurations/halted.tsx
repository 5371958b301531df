import { StatePill } from '@/components/ui/state-pill'
import type { GovernedConfiguration } from '@/lib/configurations/governed-configuration'

/** Switched on, and yet nobody can start a run with it: its own model is off, or that model's connection. */
export function isHalted({ enabled, chain }: Pick<GovernedConfiguration, 'enabled' | 'chain'>) {
  return enabled && chain[0]?.enabled === false
}

export function Halted({ configuration }: { configuration: GovernedConfiguration }) {
  if (!isHalted(configuration)) return null
  return <StatePill state="warning">Cannot run: its model is off</StatePill>
}
