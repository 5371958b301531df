import { fieldVault } from '@/lib/domains/vault/field-vault'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { requireAllowedChange } from '@/lib/engines/egress/allowed-address'
import { ValidationError } from '@/lib/kernel/errors'
import { searchEndpoints } from './shape'
import { askedAddress } from './shared/search-kind'
import { findSearchEndpoint } from './stored'

/** The operations on search endpoints. Saying where queries and keys go, and ending that, needs a fresh proof. */
export const searchEndpointVerbs = resourceVerbs(searchEndpoints, {
  summaries: {
    create: 'Adds a search endpoint, which web_search asks from then on.',
    update:
      'Changes a search endpoint, or switches it. Fields that are left out stay, and so does the key.',
    remove: 'Deletes a search endpoint with its key.',
    list: 'Lists the search endpoints.',
    read: 'Returns one search endpoint.',
  },
  most: 100,
  rows: (client) => client.searchEndpoint.findMany(),
  store: {
    count: (client) => client.searchEndpoint.count(),
    find: findSearchEndpoint,
    insert: (tx, data) => tx.searchEndpoint.create({ data }),
    write: (tx, id, data) => tx.searchEndpoint.update({ where: { id }, data }),
    remove: ({ tx }, { id }) => tx.searchEndpoint.delete({ where: { id } }),
  },
  secrets: { vault: fieldVault, columns: { key: 'keySecretId' } },
  needsReauthentication: true,
  prepare: (input, before) => requireAllowedChange('address', input, before),
  check: (_caller, { address }, before, kept) => {
    if (!before || address === undefined || !kept.has('key')) return
    const [was, is] = [askedAddress(before), askedAddress({ ...before, address })]
    if (originOf(was) === originOf(is)) return
    throw new ValidationError({
      key: `Enter the key again. The stored one is for ${originOf(was)} only.`,
    })
  },
})

function originOf(url: string | null): string {
  return url === null ? 'no address' : new URL(url).origin
}
