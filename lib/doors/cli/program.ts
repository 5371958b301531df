import { Command, CommanderError } from 'commander'
import { visibleText } from '@/lib/words/clean-text'
import { version } from '@/package.json'
import { addApiKeyCommands } from './commands/api-key'
import { addApprovalCommands } from './commands/approval'
import { addAuditCommands } from './commands/audit'
import { addBudgetCommands } from './commands/budget'
import { addChannelCommands } from './commands/channel'
import { addChatCommand } from './commands/chat'
import { addConferCommands } from './commands/confer'
import { addConfigurationCommands } from './commands/configuration'
import { addConnectCommand } from './commands/connect'
import { addConnectionCommands } from './commands/connection'
import { addConversationCommands } from './commands/conversation'
import { addDataSourceCommands } from './commands/data-source'
import { addFreezeCommands } from './commands/freeze'
import { addGroupCommands } from './commands/group'
import { addHostCommands } from './commands/host'
import { addKeyCommands } from './commands/key'
import { addMemoryCommands } from './commands/memory'
import { addModelCommands } from './commands/model'
import { addPanelCommands } from './commands/panel'
import { addProgramCommands } from './commands/program'
import { addRunCommand } from './commands/run'
import { addScheduleCommands } from './commands/schedule'
import { addSearchEndpointCommands } from './commands/search-endpoint'
import { addServerCommands } from './commands/server'
import { addSettingCommands } from './commands/setting'
import { addSiteCommands } from './commands/site'
import { addSiteFileCommands } from './commands/site-file'
import { addSkillCommands } from './commands/skill'
import { addAssetCommands, addStorageCommands } from './commands/storage'
import { addTaskCommands } from './commands/task'
import { addToolCommands } from './commands/tools'
import { addUsageCommands } from './commands/usage'
import { addUserCommands } from './commands/user'
import { addWorkspaceCommands } from './commands/workspace'
import { exitCodes } from './exit-codes'
import { explainError } from './explain-error'
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
  addTaskCommands(program)
  addScheduleCommands(program)
  addUserCommands(program)
  addGroupCommands(program)
  addApprovalCommands(program)
  addMemoryCommands(program)
  addApiKeyCommands(program)
  addAuditCommands(program)
  addBudgetCommands(program)
  addUsageCommands(program)
  addChannelCommands(program)
  addHostCommands(program)
  addProgramCommands(program)
  addSearchEndpointCommands(program)
  addDataSourceCommands(program)
  addServerCommands(program)
  addSiteCommands(program)
  addWorkspaceCommands(program)
  addStorageCommands(program)
  addAssetCommands(program)
  addSettingCommands(program)
  addSiteFileCommands(program)
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
