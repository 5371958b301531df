import { Command, CommanderError } from 'commander'
import { nounKeys, nouns } from '@/lib/nouns'
import type { NounKey } from '@/lib/protocol/nouns'
import { visibleText } from '@/lib/words/clean-text'
import { version } from '@/package.json'
import { addApiKeyCommands } from './commands/api-key'
import { addApprovalCommands } from './commands/approval'
import { addAuditCommands } from './commands/audit'
import { budgetCommands } from './commands/budget'
import { channelCommands } from './commands/channel'
import { addChatCommand } from './commands/chat'
import { addCheckCommands } from './commands/check'
import { addConferCommands } from './commands/confer'
import { addConfigurationCommands } from './commands/configuration'
import { addConnectCommand } from './commands/connect'
import { addConnectionCommands } from './commands/connection'
import { addConversationCommands } from './commands/conversation'
import { dataSourceCommands } from './commands/data-source'
import { addFreezeCommands } from './commands/freeze'
import { groupCommands } from './commands/group'
import { hostCommands } from './commands/host'
import { addKeyCommands } from './commands/key'
import { addMemoryCommands } from './commands/memory'
import { addModelCommands } from './commands/model'
import { addPanelCommands } from './commands/panel'
import { addPolicyCommands } from './commands/policy'
import { programCommands } from './commands/program'
import { addRunCommand } from './commands/run'
import { scheduleCommands } from './commands/schedule'
import { searchEndpointCommands } from './commands/search-endpoint'
import { serverCommands } from './commands/server'
import { addSettingCommands } from './commands/setting'
import { siteCommands } from './commands/site'
import { addSiteFileCommands } from './commands/site-file'
import { addSkillCommands } from './commands/skill'
import { addAssetCommands, storageCommands } from './commands/storage'
import { taskCommands } from './commands/task'
import { addToolCommands } from './commands/tools'
import { addUsageCommands } from './commands/usage'
import { addUserCommands } from './commands/user'
import { workspaceCommands } from './commands/workspace'
import { exitCodes } from './exit-codes'
import { explainError } from './explain-error'
import { type CommandSpec, resourceCommands } from './resource-commands'
import { terminal } from './terminal'

/** Runs a command in its terminal and gives its exit code; everything there is to say has been written then. */
export async function runProgram(program: Command, args: readonly string[]): Promise<number> {
  const { writeError } = terminal()
  try {
    await program.parseAsync(args, { from: 'user' })
    return terminal().exitCode
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { exitCode, sentence } = await explainError(error)
    writeError(`toolgate: ${visibleText(sentence)}\n`)
    return exitCode
  }
}

/** Columns, words and further commands of nouns, beyond the commands of their resources. */
const specs: Partial<Record<NounKey, CommandSpec>> = {
  tasks: taskCommands,
  schedules: scheduleCommands,
  groups: groupCommands,
  hosts: hostCommands,
  budgets: budgetCommands,
  channels: channelCommands,
  workspaces: workspaceCommands,
  programs: programCommands,
  storages: storageCommands,
  searchEndpoints: searchEndpointCommands,
  dataSources: dataSourceCommands,
  sites: siteCommands,
  servers: serverCommands,
}

/** The nouns whose commands stand among others, or below another one. */
const placed: ReadonlySet<NounKey> = new Set([
  'tasks',
  'schedules',
  'groups',
  'budgets',
  'approvalRules',
])

/**
 * Returns every command that works where an installation is open. It throws CommanderError instead of ending the process.
 */
export function buildProgram(): Command {
  const program = new Command('toolgate')
    .description(
      'Govern, run and watch the tools that language models call.\n' +
        'A running server of this installation does the work; without one, this process opens its database.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal().write(text),
      writeErr: (text) => terminal().writeError(text),
      getOutHelpWidth: () => terminal().columns ?? 80,
      getErrHelpWidth: () => terminal().columns ?? 80,
      outputError: (text, write) => write(usageError(text)),
    })
  const addNoun = (key: NounKey) => resourceCommands(program, nouns[key], specs[key])
  addRunCommand(program)
  addChatCommand(program)
  addConversationCommands(program)
  addConferCommands(program)
  addPanelCommands(program)
  addToolCommands(program)
  addSkillCommands(program)
  addFreezeCommands(program)
  addConnectCommand(program)
  addConnectionCommands(program)
  addKeyCommands(program)
  addModelCommands(program)
  addConfigurationCommands(program)
  addNoun('tasks')
  addNoun('schedules')
  addUserCommands(program)
  addNoun('groups')
  addApprovalCommands(program)
  addCheckCommands(program)
  addMemoryCommands(program)
  addApiKeyCommands(program)
  addAuditCommands(program)
  addNoun('budgets')
  addUsageCommands(program)
  for (const key of nounKeys) if (!placed.has(key)) addNoun(key)
  addAssetCommands(program)
  addSettingCommands(program)
  addSiteFileCommands(program)
  addPolicyCommands(program)
  return program
}

/**
 * Returns one sentence for an invalid command line. It does not repeat values and unknown words, which may be a key
 * that was pasted in the wrong place.
 */
export function usageError(text: string): string {
  const [first = '', ...more] = text.trim().split(/\n(?=\(Did you mean)/)
  const sentence = first
    .replace(/^error: /, '')
    .replace(/^unknown option '(--?[\w-]{0,40})[\s\S]*'$/, "unknown option '$1'")
    .replace(/^unknown command '[\s\S]*'$/, 'unknown command')
    .replace(/\.$/, '')
  const suggestion = more.map((line) => ` ${line.replace(/^\(Did/, '(did')}`).join('')
  return `toolgate: ${sentence}${suggestion}. See --help.\n`
}
