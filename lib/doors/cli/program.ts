import { Command } from 'commander'
import { version } from '@/package.json'
import { addApiKeyCommands } from './commands/api-key'
import { addApprovalCommands } from './commands/approval'
import { addAuditCommands } from './commands/audit'
import { addBudgetCommands } from './commands/budget'
import { addConfigurationCommands } from './commands/configuration'
import { addConnectionCommands } from './commands/connection'
import { addGroupCommands } from './commands/group'
import { addDoctorCommand, addFreezeCommands, addVaultCommands } from './commands/installation'
import { addKeyCommands } from './commands/key'
import { addModelCommands } from './commands/model'
import { addRunCommand } from './commands/run'
import { addScheduleCommands } from './commands/schedule'
import { addSettingCommands } from './commands/setting'
import { addSiteFileCommands } from './commands/site-file'
import { addSkillCommands } from './commands/skill'
import { addTaskCommands } from './commands/task'
import { addToolCommands } from './commands/tools'
import { addUsageCommands } from './commands/usage'
import { addUserCommands } from './commands/user'

/** Returns the whole command line. It throws CommanderError instead of ending the process. */
export function buildProgram(): Command {
  const program = new Command('toolgate')
    .description(
      'Govern, run and watch the tools that language models call.\n' +
        'Works on the database of this installation, even when its server is not running.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageError(text)) })
  addRunCommand(program)
  addToolCommands(program)
  addSkillCommands(program)
  addFreezeCommands(program)
  addConnectionCommands(program)
  addKeyCommands(program)
  addVaultCommands(program)
  addModelCommands(program)
  addConfigurationCommands(program)
  addTaskCommands(program)
  addScheduleCommands(program)
  addUserCommands(program)
  addGroupCommands(program)
  addApprovalCommands(program)
  addApiKeyCommands(program)
  addAuditCommands(program)
  addBudgetCommands(program)
  addUsageCommands(program)
  addSettingCommands(program)
  addSiteFileCommands(program)
  addDoctorCommand(program)
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
