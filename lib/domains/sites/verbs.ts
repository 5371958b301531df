import { linked, relinked } from '@/lib/domains/rows/group-access'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { requireAllowedChange } from '@/lib/engines/egress/allowed-address'
import { ValidationError } from '@/lib/kernel/errors'
import { sites } from './shape'
import { findSite, readSites } from './stored'

/** The operations on sites. Opening a website to tools needs a fresh proof. */
export const siteVerbs = resourceVerbs(sites, {
  summaries: {
    create: 'Adds a website whose pages tools may read.',
    update: 'Changes a website, or switches it. Fields that are left out stay.',
    remove: 'Deletes a website. Tools read nothing there any more.',
    list: 'Lists websites with what the last check of each found.',
    read: 'Returns one website with what the last check found.',
  },
  most: 100,
  rows: readSites,
  store: {
    count: (client) => client.site.count(),
    find: findSite,
    insert: (tx, values) => tx.site.create({ data: linked(values) }),
    write: (tx, id, changes) => tx.site.update({ where: { id }, data: relinked(changes) }),
    remove: ({ tx }, { id }) => tx.site.delete({ where: { id } }),
  },
  needsReauthentication: true,
  prepare: (input, before) => requireAllowedChange('address', input, before),
  check: (_caller, input, before) => {
    const { address = '', sitemap, privateAddressAllowed } = { ...before, ...input }
    if (address.startsWith('http:') && !privateAddressAllowed) {
      throw new ValidationError({
        address:
          'Enter an address that starts with https://. Only an address in a private network may start with http://.',
      })
    }
    if (!sitemap || new URL(sitemap).origin === new URL(address).origin) return
    throw new ValidationError({ sitemap: `Enter an address below ${new URL(address).origin}/.` })
  },
  listed: ({ lastCheck }) => ({ lastCheck }),
})
