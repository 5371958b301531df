import {
  SecondFactorFor,
  type SettingName,
  type SiteSettings,
} from '@/lib/domains/settings/site-settings'
import { ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { durationText, parseDuration } from '@/lib/protocol/format'

/** A setting as a terminal says it. */
export type SiteSetting = {
  name: string
  about: string
  show: (settings: SiteSettings) => string
  /** What `text` asks for; throws a ValidationError when it is nothing of the kind. */
  read: (text: string) => Partial<SiteSettings>
}

type DurationName = Exclude<SettingName, 'secondFactorFor'>

function duration(name: string, field: DurationName, about: string): SiteSetting {
  return {
    name,
    about,
    show: (settings) => durationText(settings[field]),
    read: (text) => {
      const ms = parseDuration(text)
      if (ms === null)
        throw new ValidationError({ [field]: `${name} must be a time such as 30m, 24h or 7d.` })
      return { [field]: ms }
    },
  }
}

const secondFactor: SiteSetting = {
  name: 'second-factor',
  about: `who must have a second factor: ${SecondFactorFor.options.join(', ')}`,
  show: (settings) => settings.secondFactorFor,
  read: (text) => ({ secondFactorFor: parseInput(SecondFactorFor, text) }),
}

export const siteSettings: readonly SiteSetting[] = [
  duration('approval-lifetime', 'approvalLifetimeMs', 'how long a call waits for approval'),
  duration('session-idle', 'sessionIdleMs', 'how long a session lasts without activity'),
  secondFactor,
]

export function findSetting(name: string): SiteSetting {
  const setting = siteSettings.find((each) => each.name === name)
  if (setting) return setting
  const known = siteSettings.map((each) => each.name).join(', ')
  throw new ValidationError({ name: `Unknown setting. Available settings: ${known}.` })
}
