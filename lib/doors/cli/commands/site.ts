import type { Command } from 'commander'
import { sites } from '@/lib/domains/sites/shape'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { printLine } from '../print'
import { oneOf, resourceCommands } from '../resource-commands'

const example = `
  toolgate site add docs --address https://example.org/docs/ --group Support
  toolgate site check docs`

export function addSiteCommands(program: Command): void {
  const group = resourceCommands(program, sites, {
    description: 'the websites whose pages tools may read',
    example,
    load: async () => (await import('@/lib/domains/sites/verbs')).siteVerbs,
    words: {
      list: 'list the sites',
      show: 'show a site with what the last check found',
      add: 'add a site; without a group, only admins may use it',
      edit: 'change a site; options you leave out keep their value',
      delete: 'delete a site',
    },
    columns: {
      ADDRESS: ({ address }) => address,
      PAGES: ({ lastCheck }) => (lastCheck ? String(lastCheck.pages) : 'not checked'),
      GROUPS: ({ groups }) => groups.map(({ name }) => name).join(', ') || 'admins only',
    },
    print: ({ lastCheck }) => {
      if (lastCheck?.trouble) printLine(lastCheck.trouble)
    },
  })
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
