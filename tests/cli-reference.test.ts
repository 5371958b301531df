import type { Command, Help } from 'commander'
import { expect, test } from 'vitest'
import { endWords } from '@/components/trace/end-words'
import { addOwnProcessCommands } from '@/lib/doors/cli/commands/installation'
import { exitCodeOf, exitCodes } from '@/lib/doors/cli/exit-codes'
import { buildProgram } from '@/lib/doors/cli/program'
import { EndReason } from '@/lib/protocol/run/run-event'

test('docs/cli-reference.md lists the commands, their options and the exit codes of the code', async () => {
  const program = buildProgram()
  addOwnProcessCommands(program)
  const help = program.createHelp()
  const groups = program.commands.map((group) => groupText(group, help))
  const document = `${introduction}\n${groups.join('\n')}\n${exitCodesText()}`
  const advice =
    'The commands changed: write it again with `npx vitest run tests/cli-reference.test.ts -u`.'
  await expect(document, advice).toMatchFileSnapshot('../docs/cli-reference.md')
})

const introduction = `# Reference of the command line

This list is made from the commands themselves; \`bin/toolgate COMMAND --help\` shows the same. [Command line](api.md#command-line)
explains what applies to all of them.

Commands that act for an account take \`--as <email>\` (by default, the first admin). Most take \`--json\`, which writes JSON to standard
output. Both are left out below.
`

function groupText(group: Command, help: Help): string {
  const inside = group.commands.flatMap((each) => commandsBelow(each))
  const texts = inside.map((each) => `### ${headOf(each)}\n\n${commandText(each, help)}`)
  return [`## ${headOf(group)}\n\n${commandText(group, help)}`, ...texts].join('\n')
}

function commandsBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => commandsBelow(each))]
}

/** Returns the command as it is typed behind bin/toolgate, with its arguments. */
function headOf(command: Command): string {
  const words = [
    ...namesAbove(command),
    command.name(),
    ...command.registeredArguments.map(argumentText),
  ]
  return `\`${words.join(' ')}\``
}

function namesAbove({ parent }: Command): string[] {
  return parent?.parent ? [...namesAbove(parent), parent.name()] : []
}

function argumentText(argument: Command['registeredArguments'][number]): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name()
  return argument.required ? `<${name}>` : `[${name}]`
}

function commandText(command: Command, help: Help): string {
  const aliases = command.aliases().map((alias) => `\`${alias}\``)
  const also = aliases.length > 0 ? ` Also: ${aliases.join(', ')}.` : ''
  const facts = [
    ...command.registeredArguments.map(
      (argument) => `- \`${argumentText(argument)}\`: ${help.argumentDescription(argument)}`,
    ),
    ...command.options
      .filter(({ long, hidden }) => long !== '--as' && long !== '--json' && !hidden)
      .map((option) => `- \`${option.flags}\`: ${help.optionDescription(option)}`),
  ]
  const list = facts.length > 0 ? `\n${facts.join('\n')}\n` : ''
  return asTyped(`${capitalised(command.description())}.${also}\n${list}`)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns a text in which each command begins as one types it in the folder of the repository. */
function asTyped(text: string): string {
  const quoted = text.replace(/"toolgate ([^"]+)"/g, '`bin/toolgate $1`')
  return quoted.replace(/(?<!bin\/)\btoolgate (?=[a-z])/g, 'bin/toolgate ')
}

function exitCodesText(): string {
  const rows = [
    [
      exitCodes.ok,
      'done; for a run: it ended `completed`, or with the final answer after its hop budget was used up',
    ],
    [exitCodes.failed, 'it could not be done; for `doctor`: something fails'],
    [exitCodes.usage, 'the command or its input is wrong'],
    ...EndReason.options
      .filter((reason) => reason !== 'completed')
      .map(
        (reason) =>
          [
            exitCodeOf(reason),
            `the run ended \`${reason}\`: ${endWords(reason).sentence}`,
          ] as const,
      ),
  ].toSorted(([a], [b]) => Number(a) - Number(b))
  const lines = rows.map(([code, meaning]) => `| ${code} | ${meaning} |`)
  return `## Exit codes\n\n| code | meaning |\n|---|---|\n${lines.join('\n')}\n`
}
