import { stringify } from 'yaml'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { usdText } from '../protocol/usd-text'
import { readSite } from './plan-site'
import { siteFileVersion } from './site-file'

const head = `# What this Toolgate is set up with. Keys and the values of headers are not in it: they stay in the vault.
# Fields that are left out stay as they are; what this file does not name is left alone.
# "toolgate apply -f FILE --plan" says what it would change.
`

/** Everything that a site file can say of this installation, as YAML. That it was taken along is audited. Admins only. */
export async function exportSite(ctx: Ctx): Promise<string> {
  requireRole(ctx, 'admin')
  const state = await readSite(ctx)
  await withTransaction((tx) =>
    recordAudit(tx, ctx, { action: 'site.export', objectType: 'site', objectId: null }),
  )
  const site = {
    toolgate: siteFileVersion,
    connections: [...state.connections.values()],
    models: [...state.models.values()].map((model) => ({
      ...model,
      prices: model.prices.map(({ validFrom, source, ...prices }) => ({
        validFrom,
        ...mapValues(prices, dollars),
        source,
      })),
    })),
    skills: [...state.skills.values()],
    configurations: [...state.configurations.values()].map(withDollars),
    tasks: [...state.tasks.values()].map(withDollars),
    toolGroups: [...state.toolGroups.values()],
    tools: [...state.tools.values()],
  }
  return head + stringify(site, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false })
}

function withDollars<T extends { costCapUsd: number | null }>(entry: T) {
  return { ...entry, costCapUsd: dollars(entry.costCapUsd) }
}

/** In quotes, so that no reader of YAML makes a floating-point number of it. */
function dollars(microUsd: number | null): string | null {
  return microUsd === null ? null : usdText(microUsd)
}

function mapValues<K extends string, A, B>(record: Record<K, A>, map: (value: A) => B) {
  const entries = Object.entries<A>(record).map(([key, value]) => [key, map(value)])
  return Object.fromEntries(entries) as Record<K, B>
}
