import 'server-only'
import { approvalRules } from '@/lib/domains/approvals/shape'
import { budgets } from '@/lib/domains/budgets/shape'
import { channels } from '@/lib/domains/channels/shape'
import { dataSources } from '@/lib/domains/data-sources/shape'
import { groups } from '@/lib/domains/groups/shape'
import { hosts } from '@/lib/domains/hosts/shape'
import { policyCases } from '@/lib/domains/policy-cases/shape'
import { programs } from '@/lib/domains/programs/shape'
import { schedules } from '@/lib/domains/schedules/shape'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { servers } from '@/lib/domains/servers/shape'
import { sites } from '@/lib/domains/sites/shape'
import { storages } from '@/lib/domains/storages/shape'
import { tasks } from '@/lib/domains/tasks/shape'
import { workspaces } from '@/lib/domains/workspaces/shape'
import type { AnyVerbs, ResourceVerbs } from '@/lib/edge/resource-verbs'
import type { describedNouns, NounKey } from '@/lib/protocol/nouns'
import type { AnyResource, Definition, Resource } from '@/lib/shape/resource'

/** A resource, and what imports its operations, for code that works on any. */
export type ListedNoun<Noun extends string = string> = {
  resource: AnyResource & { noun: Noun }
  verbs: () => Promise<AnyVerbs>
}

/** Returns the entry of a noun. The compiler refuses operations of another one. */
function noun<D extends Definition>(
  resource: Resource<D>,
  verbs: () => Promise<ResourceVerbs<D>>,
): Pick<ListedNoun, 'verbs'> & { resource: Resource<D> } {
  // The cast of `untypedVerbs`, whose module would load all operations.
  return { resource, verbs: verbs as unknown as ListedNoun['verbs'] }
}

/**
 * Every described noun. API, commands, palette and site file are made of this list. The operations are imported late, so
 * that the help of a command loads none of them; `lib/noun-verbs.ts` has them loaded.
 */
export const nouns = {
  approvalRules: noun(
    approvalRules,
    async () => (await import('@/lib/joined-verbs')).approvalRuleVerbs,
  ),
  tasks: noun(tasks, async () => (await import('@/lib/domains/tasks/verbs')).taskVerbs),
  schedules: noun(
    schedules,
    async () => (await import('@/lib/toolset/schedules/verbs')).scheduleVerbs,
  ),
  budgets: noun(budgets, async () => (await import('@/lib/domains/budgets/verbs')).budgetVerbs),
  channels: noun(channels, async () => (await import('@/lib/domains/channels/verbs')).channelVerbs),
  workspaces: noun(
    workspaces,
    async () => (await import('@/lib/domains/workspaces/verbs')).workspaceVerbs,
  ),
  groups: noun(groups, async () => (await import('@/lib/domains/groups/verbs')).groupVerbs),
  hosts: noun(hosts, async () => (await import('@/lib/domains/hosts/verbs')).hostVerbs),
  programs: noun(programs, async () => (await import('@/lib/domains/programs/verbs')).programVerbs),
  storages: noun(storages, async () => (await import('@/lib/domains/storages/verbs')).storageVerbs),
  searchEndpoints: noun(
    searchEndpoints,
    async () => (await import('@/lib/domains/search-endpoints/verbs')).searchEndpointVerbs,
  ),
  dataSources: noun(
    dataSources,
    async () => (await import('@/lib/toolset/data-sources/verbs')).dataSourceVerbs,
  ),
  sites: noun(sites, async () => (await import('@/lib/domains/sites/verbs')).siteVerbs),
  servers: noun(servers, async () => (await import('@/lib/domains/servers/verbs')).serverVerbs),
  policyCases: noun(policyCases, async () => (await import('@/lib/joined-verbs')).policyCaseVerbs),
} satisfies { [K in NounKey]: ListedNoun<(typeof describedNouns)[K]['noun']> }

/** The keys of all nouns, in the order of the list, which is that of the API and of the commands. */
export const nounKeys = Object.keys(nouns) as readonly NounKey[]
