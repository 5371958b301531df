import { z } from 'zod'
import { type ConnectionListing, ConnectionSort } from '@/lib/domains/connections/schemas'
import { matchesSearch } from '@/lib/protocol/matches-search'
import { ModelTarget } from '@/lib/protocol/model-target'
import { wireWords } from '@/lib/protocol/wire'
import { addressOfConnection } from './connection-words'

const connectionStates = ['untried', 'healthy', 'trouble', 'failing', 'open', 'off'] as const
type ConnectionState = (typeof connectionStates)[number]

/** What the address of the list may ask for. */
export const ConnectionQuery = z.object({
  search: z.string().max(200).optional(),
  wire: ModelTarget.shape.wire.optional(),
  zone: ModelTarget.shape.trustZone.optional(),
  state: z.enum(connectionStates).optional(),
  page: z.coerce.number().int().min(1).max(99_999).default(1),
  sort: ConnectionSort,
})
export type ConnectionFilter = Omit<z.output<typeof ConnectionQuery>, 'page' | 'sort'>

/** Every word of the search must be found in name, wire or address. */
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

function stateOf({ enabled, health, troubles }: ConnectionListing): ConnectionState {
  if (!enabled) return 'off'
  const { type } = health
  return troubles.length > 0 && type !== 'failing' && type !== 'open' ? 'trouble' : type
}
