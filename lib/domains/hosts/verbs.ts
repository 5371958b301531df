import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { requireAllowedChange } from '@/lib/engines/egress/allowed-address'
import type { Tx } from '@/lib/kernel/db'
import { hosts } from './shape'
import { standsForMany, WebOrigin } from './shared/web-origin'

/** The operations on hosts. */
export const hostVerbs = resourceVerbs(hosts, {
  summaries: {
    create: 'Adds a host, which tools may read from then on.',
    update: 'Changes a host, or switches it. Fields that are left out stay.',
    remove: 'Deletes a host. Tools read nothing there any more.',
    list: 'Lists the hosts that tools may read.',
    read: 'Returns one host.',
  },
  most: 1_000,
  rows: (client) => client.host.findMany(),
  store: {
    count: (client) => client.host.count(),
    find: findHost,
    insert: async (tx, data) => {
      await tx.hostRequest.deleteMany({ where: { origin: data.name } })
      return tx.host.create({ data })
    },
    write: (tx, id, data) => tx.host.update({ where: { id }, data }),
    remove: ({ tx }, { id }) => tx.host.delete({ where: { id } }),
  },
  prepare: async (input, before) => {
    if (standsForMany(input.name ?? before?.name ?? '')) return
    await requireAllowedChange('name', input, before)
  },
  needsReauthentication: true,
})

/** Finds a host by its id, or by its origin in any of its forms. */
function findHost(client: Tx, reference: { id: string } | { name: string }) {
  if ('id' in reference) return client.host.findUnique({ where: reference })
  const name = WebOrigin.safeParse(reference.name).data ?? reference.name
  return client.host.findUnique({ where: { name } })
}
