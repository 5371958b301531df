import type { Command } from 'commander'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { factText } from '@/lib/shape/field-codec'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { oneOf, resourceCommands } from '../resource-commands'

const example = `
  toolgate search-endpoint add Local --kind searxng --address http://127.0.0.1:8888 --private-address-allowed yes
  toolgate search-endpoint add Brave --kind brave --key-stdin < key.txt
  toolgate search-endpoint test Local`

export function addSearchEndpointCommands(program: Command): void {
  const { kind, address, privateAddressAllowed } = searchEndpoints.fields
  const group = resourceCommands(program, searchEndpoints, {
    description: 'the services that web_search asks',
    example,
    load: async () => (await import('@/lib/domains/search-endpoints/verbs')).searchEndpointVerbs,
    words: {
      list: 'list the search endpoints',
      show: 'show a search endpoint',
      add: 'add a search endpoint; its key comes from standard input',
      edit: 'change a search endpoint; options you leave out keep their value',
      delete: 'delete a search endpoint with its key',
    },
    columns: {
      KIND: (endpoint) => factText(kind, endpoint.kind),
      ADDRESS: (endpoint) => factText(address, endpoint.address, endpoint),
      PRIVATE: (endpoint) => factText(privateAddressAllowed, endpoint.privateAddressAllowed),
      KEY: ({ secrets }) => (secrets.includes('key') ? 'stored' : 'none'),
    },
  })
  command(group, 'test', {
    description: 'send one query; exit code 1 if that fails',
    args: oneOf(searchEndpoints),
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const { testSearchEndpoint } = await import('@/lib/probes/test-search-endpoint')
      const outcome = await testSearchEndpoint(ctx, { id: nameOrId })
      return {
        json: outcome,
        text: outcome.words,
        exitCode: outcome.isAnswered ? exitCodes.ok : exitCodes.failed,
      }
    },
  })
}
