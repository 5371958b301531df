import type { Command } from 'commander'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { commandSpec, oneOf } from '../resource-commands'

const example = `
  toolgate search-endpoint add Local --kind searxng --address http://127.0.0.1:8888 --private-address-allowed yes
  toolgate search-endpoint add Brave --kind brave --key-stdin < key.txt
  toolgate search-endpoint test Local`

export const searchEndpointCommands = commandSpec(searchEndpoints, {
  example,
  further: addTest,
})

function addTest(group: Command): void {
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
