import type { Command } from 'commander'
import { visibleText } from '@/lib/words/clean-text'
import { formatCostMicroUsd } from '@/lib/words/format'
import { command } from '../command'
import { cutLine, printTable } from '../print'

type ListOptions = { search?: string; archived?: boolean }

/** Adds the commands for runs that continue one another. */
export function addConversationCommands(program: Command): void {
  const conversation = program
    .command('conversation')
    .description('runs that continue one another; toolgate chat adds turns')
  command<ListOptions>(conversation, 'list', {
    description: 'list conversations, the newest first',
    options: (made) =>
      made
        .option('--search <words>', 'words of the name or of a prompt')
        .option('--archived', 'those that were put away'),
    work: async ({ ctx, options: { search, archived } }) => {
      const { listConversations } = await import('@/lib/runs/conversations/conversations')
      const filter = { search, archived: archived ? 'yes' : undefined, pageSize: 200 } as const
      const { conversations, total } = await listConversations(ctx, filter)
      return {
        json: { conversations, total },
        text: () =>
          printTable(
            ['conversation', 'turns', 'cost', 'last turn', 'id'],
            conversations.map(({ id, title, turns, costMicroUsd, lastAt }) => [
              cutLine(visibleText(title)),
              String(turns),
              formatCostMicroUsd(costMicroUsd),
              lastAt,
              id,
            ]),
          ),
      }
    },
  })
  command(conversation, 'rename', {
    description: 'name a conversation',
    args: { '<conversation>': 'its id, which is that of its first run', '<name>': 'its name' },
    work: async ({ ctx, args: [id = '', title = ''] }) => {
      const { renameConversation } = await import('@/lib/runs/conversations/conversations')
      await renameConversation(ctx, { id, title })
      return { json: { id, title }, text: `It is called ${visibleText(title)} now.` }
    },
  })
  command<{ takeBack?: boolean }>(conversation, 'archive', {
    description: 'put a conversation away, or take it back',
    args: { '<conversation>': 'its id' },
    options: (made) => made.option('--take-back', 'show it in the list again'),
    work: async ({ ctx, args: [id = ''], options: { takeBack = false } }) => {
      const { archiveConversation } = await import('@/lib/runs/conversations/conversations')
      await archiveConversation(ctx, { id, archived: !takeBack })
      return { json: { id, archived: !takeBack }, text: takeBack ? 'Taken back.' : 'Archived.' }
    },
  })
  command(conversation, 'delete', {
    description: 'delete a conversation from the list; its runs stay',
    args: { '<conversation>': 'its id' },
    work: async ({ ctx, args: [id = ''] }) => {
      const { deleteConversation } = await import('@/lib/runs/conversations/conversations')
      await deleteConversation(ctx, { id })
      return { json: { id }, text: 'Deleted. Its runs stay.' }
    },
  })
}
