import { listConnections } from '@/lib/connections/list-connections'
import { systemCtx } from '@/lib/context'
import { shellWord } from '../mend-command'
import { type Finding, ok, warn } from './finding'

const check = 'Trust zones'

/** Connections whose address contradicts their trust zone, and which nobody confirmed (SPEC A8). */
export async function checkTrustZones(): Promise<Finding[]> {
  const connections = await listConnections(systemCtx())
  const findings = connections.flatMap(({ name, trustZone, zone }) =>
    zone.type === 'mismatch'
      ? [
          warn(
            check,
            `${name} is trusted as ${trustZone}, and ${zone.host} is a public address`,
            `Pick an external trust zone, or confirm this one: toolgate connection edit ${shellWord(name)} --trust-zone ${trustZone} --confirm-zone ${zone.host} --reason TEXT`,
          ),
        ]
      : [],
  )
  return findings.length > 0 ? findings : [ok(check, 'every address matches its trust zone')]
}
