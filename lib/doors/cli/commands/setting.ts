import type { Command } from 'commander'
import {
  type DurationSetting,
  SecondFactorFor,
  type SettingName,
  type SiteSettings,
  settingShape,
} from '@/lib/domains/settings/shape'
import { ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { durationText, parseDuration } from '@/lib/protocol/format'
import { command } from '../command'
import { printTable } from '../print'

const verbs = () => import('@/lib/domains/settings/verbs')

/** A setting as a terminal says it. */
type SiteSetting = {
  name: string
  about: string
  show: (settings: SiteSettings) => string
  /** Returns what `text` asks for. Throws ValidationError when it is nothing of the kind. */
  read: (text: string) => Partial<SiteSettings>
}

function duration(field: DurationSetting): SiteSetting {
  const { command: said } = settingShape[field]
  return {
    ...said,
    show: (settings) => durationText(settings[field]),
    read: (text) => {
      const ms = parseDuration(text)
      if (ms !== null) return { [field]: ms }
      const words = `${said.name} must be a time such as 30m, 24h or 7d.`
      throw new ValidationError({ [field]: words })
    },
  }
}

const siteSettings: Record<SettingName, SiteSetting> = {
  approvalLifetimeMs: duration('approvalLifetimeMs'),
  sessionIdleMs: duration('sessionIdleMs'),
  secondFactorFor: {
    ...settingShape.secondFactorFor.command,
    show: (settings) => settings.secondFactorFor,
    read: (text) => ({ secondFactorFor: parseInput(SecondFactorFor, text) }),
  },
}

function findSetting(name: string): SiteSetting {
  const all = Object.values(siteSettings)
  const setting = all.find((each) => each.name === name)
  if (setting) return setting
  const known = all.map((each) => each.name).join(', ')
  throw new ValidationError({ name: `Unknown setting. Available settings: ${known}.` })
}

const named = { '<name>': 'name of the setting' }

export function addSettingCommands(program: Command): void {
  const setting = program.command('setting').description('show and change settings of the site')
  command(setting, 'list', {
    description: 'list every setting with its value',
    work: async ({ ctx }) => {
      const settings = await (await verbs()).readSettings(ctx, {})
      const all = Object.values(siteSettings)
      const rows = all.map(({ name, about, show }) => [name, show(settings), about])
      const text = () => printTable(['SETTING', 'VALUE', 'WHAT IT IS'], rows)
      return { json: settings, text }
    },
  })
  command(setting, 'get', {
    description: 'print the value of one setting',
    args: named,
    work: async ({ ctx, args: [name = ''] }) => {
      const setting = findSetting(name)
      const value = setting.show(await (await verbs()).readSettings(ctx, {}))
      return { json: { name, value }, text: value }
    },
  })
  command<{ reason?: string }>(setting, 'set', {
    description: 'change one setting',
    args: {
      ...named,
      '<value>':
        'for approval-lifetime and session-idle: 5m to 30d, such as 90m, 24h or 7d; for second-factor: none, admins or everyone',
    },
    options: (made) => made.option('--reason <text>', 'reason'),
    work: async ({ ctx, args: [name = '', given = ''], options: { reason } }) => {
      const setting = findSetting(name)
      const { updateSettings } = await verbs()
      const value = setting.show(await updateSettings(ctx, { ...setting.read(given), reason }))
      return { json: { name, value }, text: `${name} is ${value}.` }
    },
  })
}
