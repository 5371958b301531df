import type { Command } from 'commander'
import { sites } from '@/lib/domains/sites/shape'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { printLine } from '../print'
import { commandSpec, oneOf } from '../resource-commands'

const example = `
  toolgate site add docs --address https://example.org/docs/ --group Support
  toolgate site check docs`

export const siteCommands = commandSpec(sites, {
  example,
  words: {
    show: 'show a website with what the last check found',
    add: 'add a website; without a group, only admins may use it',
  },
  columns: {
    ADDRESS: ({ address }) => address,
    PAGES: ({ lastCheck }) => (lastCheck ? String(lastCheck.pages) : 'not checked'),
    GROUPS: ({ groups }) => groups.map(({ name }) => name).join(', ') || 'admins only',
  },
  print: ({ lastCheck }) => {
    if (lastCheck?.trouble) printLine(lastCheck.trouble)
  },
  further: addCheck,
})

function addCheck(group: Command): void {
  command(group, 'check', {
    description: 'look which pages tools can list; exit code 1 if there are none',
    args: oneOf(sites),
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const { checkSite } = await import('@/lib/probes/check-site')
      const outcome = await checkSite(ctx, { id: nameOrId })
      return {
        json: outcome,
        text: outcome.words,
        exitCode: outcome.pages > 0 ? exitCodes.ok : exitCodes.failed,
      }
    },
  })
}
