import type { Command } from 'commander'
import { workspaces } from '@/lib/domains/workspaces/shape'
import { command } from '../command'
import { printLine } from '../print'
import { commandSpec } from '../resource-commands'

const example = `
  toolgate workspace add handbook --folder /srv/handbook --group Support
  toolgate workspace edit handbook --writable yes
  toolgate workspace undo ID --reason 'wrong file'`

export const workspaceCommands = commandSpec(workspaces, {
  example,
  words: {
    show: 'show a workspace with the last writes of tools to it',
    add: 'add a workspace; without a group, only admins may use it',
    delete: 'delete a workspace and what is kept of files that tools wrote; its files stay',
  },
  print: ({ realFolder, trouble, noPrograms, writes }) => {
    printLine(`leads to: ${realFolder}`)
    if (trouble !== null) printLine(`trouble: ${trouble}`)
    if (noPrograms !== null) printLine(`programs: ${noPrograms}`)
    for (const { id, at, path, by, undoneAt } of writes) {
      printLine(`${at}: ${path}, written for ${by}${undoneAt ? ', undone' : ''} (${id})`)
    }
  },
  further: addUndo,
})

function addUndo(group: Command): void {
  command(group, 'undo', {
    description: 'put a file back as it was before a tool wrote it; refused when it changed since',
    args: { '<id>': 'id of the write, which show prints' },
    reason: true,
    work: async ({ ctx, args: [writeId = ''], options: { reason } }) => {
      const { undoFileWrite } = await import('@/lib/joined-verbs')
      await undoFileWrite(ctx, { writeId, reason })
      return { json: { undone: writeId }, text: 'The file is as it was before.' }
    },
  })
}
