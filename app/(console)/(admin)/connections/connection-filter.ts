import {
  type ConnectionListing,
  ConnectionSort,
} from '@toolgate/server/domains/connections/schemas'
import { z } from 'zod'
import type { FilterField } from '@/components/forms/address-filter'
import { choiceFilter } from '@/components/list/filter-fields'
import { connectionShape } from '@/lib/domains/connections/shape'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { Wire, wireWords } from '@/lib/protocol/parameters/parameter-values'
import { choicesOf } from '@/lib/shape/field-shape'
import { matchesSearch } from '@/lib/words/matches-search'
import { addressOfConnection, ConnectionState, stateOf, stateWords } from './connection-words'

/** Parses the search, filter and order in the address of the list. */
export const ConnectionQuery = z.object({
  search: z.string().max(200).optional(),
  wire: Wire.optional(),
  zone: TrustZone.optional(),
  state: ConnectionState.optional(),
  page: z.coerce.number().int().min(1).max(99_999).default(1),
  sort: ConnectionSort,
})
export type ConnectionFilter = Omit<z.output<typeof ConnectionQuery>, 'page' | 'sort'>

/** The fields of the filter above the list. */
export const connectionFilters: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search connections' },
  choiceFilter('wire', connectionShape.wire, 'Any API type'),
  choiceFilter('zone', connectionShape.trustZone, 'Any trust zone'),
  choiceFilter('state', { label: 'Health', choices: choicesOf(stateWords) }, 'Any health'),
]

/** Returns the connections that match. Every word of the search must be in the name, the API type or the address. */
export function filterConnections(
  connections: readonly ConnectionListing[],
  { search, wire, zone, state }: ConnectionFilter,
): ConnectionListing[] {
  return connections.filter((connection) => {
    const texts = [connection.name, wireWords[connection.wire], addressOfConnection(connection)]
    return (
      matchesSearch(search, texts) &&
      (wire === undefined || connection.wire === wire) &&
      (zone === undefined || connection.trustZone === zone) &&
      (state === undefined || stateOf(connection) === state)
    )
  })
}
