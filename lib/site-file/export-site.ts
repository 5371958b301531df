import { stringify } from 'yaml'
import { makeChange } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { AnyResource } from '@/lib/shape/resource'
import { hasField } from '@/lib/shape/resource-parts'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { asWritten } from './entry'
import { readSite } from './plan-site'
import {
  everyKind,
  type Kind,
  laterResources,
  type SiteState,
  siteFileVersion,
  siteResources,
} from './site-file'

const head = `# The configuration of this Toolgate. Keys and other secrets are not included; they stay in the vault.
# Fields you leave out keep their value. Objects that this file does not name are not changed.
# "toolgate apply -f FILE --plan" shows what it would change.
`

/** Returns this installation as a YAML site file. The export is audited. Admins only. */
export async function exportSite(ctx: Ctx): Promise<string> {
  requireRole(ctx, 'admin')
  const state = await withoutServerTools(await readSite(ctx))
  const exported = { by: ctx, action: 'site.export', subject: null } as const
  await makeChange(async () => ({ output: undefined, changes: [exported] }))
  const site = {
    toolgate: siteFileVersion,
    ...Object.fromEntries(
      kinds.map((kind) => [kind, [...state[kind].values()].map((entry) => written(kind, entry))]),
    ),
  }
  return head + stringify(site, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false })
}

/** Returns a site without the switches, approvals and limits of tools of servers: a person accepts and switches these on each site. */
async function withoutServerTools(state: SiteState): Promise<SiteState> {
  const remote = (await installedTools(db())).filter(({ server }) => server !== undefined)
  const names = new Set(remote.map(({ name }) => name))
  const groups = new Set(remote.map(({ group }) => group))
  return {
    ...state,
    tools: new Map([...state.tools].filter(([name]) => !names.has(name))),
    toolApprovals: new Map([...state.toolApprovals].filter(([name]) => !names.has(name))),
    toolLimits: new Map([...state.toolLimits].filter(([name]) => !names.has(name))),
    toolGroups: new Map([...state.toolGroups].filter(([name]) => !groups.has(name))),
  }
}

/** Returns an entry as the file has it, without what objects of its kind do not have. */
function written(kind: Kind, entry: object): Record<string, unknown> {
  const resources: Partial<Record<Kind, Pick<AnyResource, 'fields'>>> = siteResources
  const fields = Object.entries(entry).filter(([name]) => {
    const field = resources[kind]?.fields[name]
    return field === undefined || hasField(field, { ...entry })
  })
  return Object.fromEntries(fields.map(([field, value]) => [field, asWritten(field, value)]))
}

/** In the order in which a reader needs them. */
const kinds = everyKind([
  'groups',
  'connections',
  'models',
  'skills',
  'configurations',
  ...laterResources,
  'toolGroups',
  'tools',
  'toolApprovals',
  'toolLimits',
])
