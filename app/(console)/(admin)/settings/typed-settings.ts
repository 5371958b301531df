import {
  type SettingName,
  type SiteSettings,
  settingNames,
  settingShape,
} from '@/lib/domains/settings/shape'
import {
  type DurationUnit,
  durationMs,
  durationParts,
  parseCount,
  parseDecimal,
} from '@/lib/words/format'

/** A duration as it is typed: an amount and its unit. */
export type TypedDuration = { amount: string; unit: DurationUnit }

type TypedSetting = TypedDuration | string
/** The values of the form of all settings. */
export type TypedSettings = Record<SettingName, TypedSetting> & { reason: string }

/** Returns a setting as its field holds it: durations as amount and unit. */
function typedSetting(name: SettingName, value: SiteSettings[SettingName]): TypedSetting {
  if (typeof value !== 'number') return value
  if (settingShape[name].kind !== 'duration') return String(value)
  const { amount, unit } = durationParts(value)
  return { amount: String(amount), unit }
}

/** Returns the value of a field; NaN when a duration or a number has none. */
function settingOf(name: SettingName, typed: TypedSetting): number | string {
  if (typeof typed === 'string') {
    return settingShape[name].kind === 'number' ? (parseCount(typed) ?? Number.NaN) : typed
  }
  return durationMs(parseDecimal(typed.amount) ?? Number.NaN, typed.unit)
}

/** Returns the form's values for these settings. */
export function typedSettings(settings: SiteSettings): TypedSettings {
  const typed = settingNames.map((name) => [name, typedSetting(name, settings[name])])
  return { ...Object.fromEntries(typed), reason: '' }
}

/** Returns the settings whose typed value is another than the one they have. */
export function changedSettings(typed: TypedSettings, settings: SiteSettings): SettingName[] {
  return settingNames.filter((name) => settingOf(name, typed[name]) !== settings[name])
}

/** Returns the input that changes these settings, as long as each has the value that the form was filled from. */
export function changeOf(
  names: readonly SettingName[],
  typed: TypedSettings,
  settings: SiteSettings,
) {
  const wanted = names.map((name) => [name, settingOf(name, typed[name])])
  const expected = names.map((name) => [name, settings[name]])
  return {
    ...Object.fromEntries(wanted),
    expected: Object.fromEntries(expected),
    reason: typed.reason,
  }
}
