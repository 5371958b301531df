import 'server-only'
import { usableSites } from '@/lib/domains/sites/stored'
import type { SiteResources } from '@/lib/engines/tools/site-resources'
import type { Tx } from '@/lib/kernel/db'
import type { Actor } from '@/lib/protocol/tool'

/** Returns the sites whose pages tools of `actor` may read at this moment (SPEC A2a). */
export function siteResources(tx: Tx, actor: Actor): SiteResources {
  return { list: () => usableSites(tx, actor) }
}
