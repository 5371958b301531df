import type { Command } from 'commander'
import {
  type SettingName,
  type SiteSettings,
  settingNames,
  settingShape,
} from '@/lib/domains/settings/shape'
import { ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { durationText, parseCount, parseDuration } from '@/lib/words/format'
import { command } from '../command'
import { printTable } from '../print'

const verbs = () => import('@/lib/domains/settings/verbs')

/** Returns a value as a terminal shows it, and `readSetting` takes it. */
function showSetting(name: SettingName, settings: SiteSettings): string {
  const value = settings[name]
  if (typeof value !== 'number') return value
  return settingShape[name].kind === 'duration' ? durationText(value) : String(value)
}

/** Returns the change that `text` asks for. Throws ValidationError for an invalid value. */
function readSetting(name: SettingName, text: string): Partial<SiteSettings> {
  const { kind, schema, command: said } = settingShape[name]
  if (kind === 'number') return { [name]: parseInput(schema, parseCount(text)) }
  if (kind !== 'duration') return { [name]: parseInput(schema, text) }
  const ms = parseDuration(text)
  if (ms !== null) return { [name]: ms }
  throw new ValidationError({ [name]: `${said.name} must be a time such as 30m, 24h or 7d.` })
}

function findSetting(wanted: string): SettingName {
  const found = settingNames.find((name) => settingShape[name].command.name === wanted)
  if (found) return found
  const known = settingNames.map((name) => settingShape[name].command.name).join(', ')
  throw new ValidationError({ name: `Unknown setting. Available settings: ${known}.` })
}

/** Returns the values that each setting takes: "for a and b: 5m to 30d; for c: none". */
function valueWords(): string {
  const commands = settingNames.map((name) => settingShape[name].command)
  const kinds = [...new Set(commands.map(({ values }) => values))]
  const namesWith = (kind: string) =>
    commands.filter(({ values }) => values === kind).map(({ name }) => name)
  return kinds.map((kind) => `for ${namesWith(kind).join(' and ')}: ${kind}`).join('; ')
}

const named = { '<name>': 'name of the setting' }

export function addSettingCommands(program: Command): void {
  const setting = program.command('setting').description('show and change settings of the site')
  command(setting, 'list', {
    description: 'list every setting with its value',
    work: async ({ ctx }) => {
      const settings = await (await verbs()).readSettings(ctx, {})
      const rows = settingNames.map((key) => {
        const { name, about } = settingShape[key].command
        return [name, showSetting(key, settings), about]
      })
      const text = () => printTable(['SETTING', 'VALUE', 'WHAT IT IS'], rows)
      return { json: settings, text }
    },
  })
  command(setting, 'get', {
    description: 'print the value of one setting',
    args: named,
    work: async ({ ctx, args: [name = ''] }) => {
      const setting = findSetting(name)
      const value = showSetting(setting, await (await verbs()).readSettings(ctx, {}))
      return { json: { name, value }, text: value }
    },
  })
  command<{ reason?: string }>(setting, 'set', {
    description: 'change one setting',
    args: { ...named, '<value>': valueWords() },
    options: (made) => made.option('--reason <text>', 'reason'),
    work: async ({ ctx, args: [name = '', given = ''], options: { reason } }) => {
      const setting = findSetting(name)
      const { updateSettings } = await verbs()
      const change = { ...readSetting(setting, given), reason }
      const value = showSetting(setting, await updateSettings(ctx, change))
      return { json: { name, value }, text: `${name} is ${value}.` }
    },
  })
}
