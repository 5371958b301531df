import { programs } from '@/lib/domains/programs/shape'
import { strongerRules } from '@/lib/domains/programs/suggested-rules'
import { printLine } from '../print'
import { commandSpec } from '../resource-commands'

const example = `
  toolgate program add git --path /usr/bin/git --first --no-pager --subcommands 'log show diff' --refused '--ext-diff --textconv'
  toolgate program edit git --seconds 30
  toolgate program show git`

export const programCommands = commandSpec(programs, {
  example,
  words: {
    show: 'show a program with its version, and why it cannot be run now',
    add: 'add a program that exec may run in workspaces',
    delete: 'delete a program; its file stays',
  },
  print: (program) => {
    const { version, trouble } = program
    const stronger = strongerRules(program)
    if (version !== null) printLine(`version: ${version}`)
    if (trouble !== null) printLine(`trouble: ${trouble}`)
    if (stronger !== null)
      printLine(`rules: ${stronger.weakness} toolgate doctor prints the command.`)
  },
})
