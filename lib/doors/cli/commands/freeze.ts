import type { Command } from 'commander'
import { command } from '../command'

type ReasonOption = { reason?: string }

const freezing = () => import('@/lib/domains/settings/freeze')

export function addFreezeCommands(program: Command): void {
  const freeze = command<ReasonOption>(program, 'freeze', {
    description: 'stop all tools and runs of this site at once, or show whether the site is frozen',
    options: (made) => made.option('--reason <text>', 'reason; everybody sees it'),
    work: async ({ ctx, options: { reason = '' } }) => {
      const frozen = await (await freezing()).freezeSite(ctx, { reason })
      const text = 'Froze this site. No run or tool can start, and active runs were stopped.'
      return { json: { freeze: frozen }, text }
    },
  })
  command(freeze, 'status', {
    description: 'show who froze this site, when and why',
    work: async ({ ctx }) => {
      const { freezeSentence } = await import('@/lib/domains/settings/read-freeze')
      const found = await (await freezing()).getFreeze(ctx, {})
      const text = found ? freezeSentence(found) : 'This site is not frozen.'
      return { json: { freeze: found }, text }
    },
  })
  command<ReasonOption>(program, 'unfreeze', {
    description: 'allow tools and runs of this site again',
    options: (made) => made.option('--reason <text>', 'reason'),
    work: async ({ ctx, options: { reason } }) => {
      const changed = await (await freezing()).unfreezeSite(ctx, { reason })
      const text = changed ? 'Unfroze this site.' : 'This site was not frozen.'
      return { json: { freeze: null }, text }
    },
  })
}
